(define (domain markettrader)
  (:requirements :strips :typing :numeric-fluents)
  (:types town good)
  (:predicates
    (trader-at ?t - town)
    (road ?from ?to - town))
  (:functions
    (cash)
    (room)
    (carried ?g - good)
    (on-sale ?g - good ?t - town)
    (price ?g - good ?t - town)
    (offer ?g - good ?t - town)
    (toll ?from ?to - town))

  (:action travel
    :parameters (?from ?to - town)
    :precondition (and (trader-at ?from) (road ?from ?to) (>= (cash) (toll ?from ?to)))
    :effect (and (trader-at ?to) (not (trader-at ?from)) (decrease (cash) (toll ?from ?to))))

  (:action buy
    :parameters (?g - good ?t - town)
    :precondition (and (trader-at ?t) (>= (on-sale ?g ?t) 1) (>= (cash) (price ?g ?t)) (>= (room) 1))
    :effect (and
      (decrease (cash) (price ?g ?t)) (decrease (room) 1)
      (increase (carried ?g) 1) (decrease (on-sale ?g ?t) 1)))

  (:action sell
    :parameters (?g - good ?t - town)
    :precondition (and (trader-at ?t) (>= (carried ?g) 1))
    :effect (and
      (increase (cash) (offer ?g ?t)) (increase (room) 1)
      (decrease (carried ?g) 1) (increase (on-sale ?g ?t) 1))))
