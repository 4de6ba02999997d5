(define (domain briefcaseworld)
  (:requirements :adl)
  (:types place thing)
  (:predicates
    (case-at ?where - place)
    (thing-at ?t - thing ?where - place)
    (in-case ?t - thing))

  (:action move
    :parameters (?from ?to - place)
    :precondition (and (case-at ?from) (not (= ?from ?to)))
    :effect (and
      (case-at ?to)
      (not (case-at ?from))
      (forall (?t - thing)
        (when (in-case ?t) (and (thing-at ?t ?to) (not (thing-at ?t ?from)))))))

  (:action put-in
    :parameters (?t - thing ?where - place)
    :precondition (and (thing-at ?t ?where) (case-at ?where) (not (in-case ?t)))
    :effect (in-case ?t))

  (:action take-out
    :parameters (?t - thing)
    :precondition (in-case ?t)
    :effect (not (in-case ?t))))
