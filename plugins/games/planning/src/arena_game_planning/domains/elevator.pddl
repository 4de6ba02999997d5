(define (domain elevator)
  (:requirements :strips :typing :equality :negative-preconditions :action-costs)
  (:types
    lift passenger floor count - object
    slow-lift fast-lift - lift)
  (:predicates
    (lift-at ?l - lift ?f - floor)
    (reaches ?l - lift ?f - floor)
    (waits-at ?p - passenger ?f - floor)
    (aboard ?p - passenger ?l - lift)
    (load ?l - lift ?n - count)
    (holds ?l - lift ?n - count)
    (next ?fewer ?more - count))
  (:functions
    (total-cost) - number
    (slow-ride ?from ?to - floor) - number
    (fast-ride ?from ?to - floor) - number)

  (:action ride-slow
    :parameters (?l - slow-lift ?from ?to - floor)
    :precondition (and (lift-at ?l ?from) (reaches ?l ?to) (not (= ?from ?to)))
    :effect (and (lift-at ?l ?to) (not (lift-at ?l ?from)) (increase (total-cost) (slow-ride ?from ?to))))

  (:action ride-fast
    :parameters (?l - fast-lift ?from ?to - floor)
    :precondition (and (lift-at ?l ?from) (reaches ?l ?to) (not (= ?from ?to)))
    :effect (and (lift-at ?l ?to) (not (lift-at ?l ?from)) (increase (total-cost) (fast-ride ?from ?to))))

  (:action board
    :parameters (?p - passenger ?l - lift ?f - floor ?fewer ?more - count)
    :precondition (and (lift-at ?l ?f) (waits-at ?p ?f) (load ?l ?fewer) (next ?fewer ?more) (holds ?l ?more))
    :effect (and (aboard ?p ?l) (load ?l ?more) (not (waits-at ?p ?f)) (not (load ?l ?fewer))))

  (:action leave
    :parameters (?p - passenger ?l - lift ?f - floor ?more ?fewer - count)
    :precondition (and (lift-at ?l ?f) (aboard ?p ?l) (load ?l ?more) (next ?fewer ?more))
    :effect (and (waits-at ?p ?f) (load ?l ?fewer) (not (aboard ?p ?l)) (not (load ?l ?more)))))
