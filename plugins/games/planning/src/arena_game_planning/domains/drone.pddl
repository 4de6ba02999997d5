(define (domain drone)
  (:requirements :strips :typing :numeric-fluents)
  (:types point)
  (:predicates (visited ?p - point))
  (:functions
    (x) (y) (z)
    (max-x) (max-y) (max-z)
    (battery) (full-battery)
    (x-of ?p - point) (y-of ?p - point) (z-of ?p - point))

  (:action fly-east
    :parameters ()
    :precondition (and (>= (battery) 1) (< (x) (max-x)))
    :effect (and (increase (x) 1) (decrease (battery) 1)))

  (:action fly-west
    :parameters ()
    :precondition (and (>= (battery) 1) (> (x) 0))
    :effect (and (decrease (x) 1) (decrease (battery) 1)))

  (:action fly-north
    :parameters ()
    :precondition (and (>= (battery) 1) (< (y) (max-y)))
    :effect (and (increase (y) 1) (decrease (battery) 1)))

  (:action fly-south
    :parameters ()
    :precondition (and (>= (battery) 1) (> (y) 0))
    :effect (and (decrease (y) 1) (decrease (battery) 1)))

  (:action rise
    :parameters ()
    :precondition (and (>= (battery) 1) (< (z) (max-z)))
    :effect (and (increase (z) 1) (decrease (battery) 1)))

  (:action sink
    :parameters ()
    :precondition (and (>= (battery) 1) (> (z) 0))
    :effect (and (decrease (z) 1) (decrease (battery) 1)))

  (:action visit
    :parameters (?p - point)
    :precondition (and (= (x) (x-of ?p)) (= (y) (y-of ?p)) (= (z) (z-of ?p)) (>= (battery) 1))
    :effect (and (visited ?p) (decrease (battery) 1)))

  (:action recharge
    :parameters ()
    :precondition (and (= (x) 0) (= (y) 0) (= (z) 0))
    :effect (and (assign (battery) (full-battery)))))
