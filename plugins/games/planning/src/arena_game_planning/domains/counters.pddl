(define (domain counters)
  (:requirements :strips :typing :numeric-fluents)
  (:types counter)
  (:functions
    (value ?c - counter)
    (rate ?c - counter)
    (max-value)
    (max-rate))

  (:action count-up
    :parameters (?c - counter)
    :precondition (and (<= (+ (value ?c) (rate ?c)) (max-value)))
    :effect (and (increase (value ?c) (rate ?c))))

  (:action count-down
    :parameters (?c - counter)
    :precondition (and (>= (- (value ?c) (rate ?c)) 0))
    :effect (and (decrease (value ?c) (rate ?c))))

  (:action raise-rate
    :parameters (?c - counter)
    :precondition (and (<= (+ (rate ?c) 1) (max-rate)))
    :effect (and (increase (rate ?c) 1)))

  (:action lower-rate
    :parameters (?c - counter)
    :precondition (and (>= (rate ?c) 2))
    :effect (and (decrease (rate ?c) 1))))
