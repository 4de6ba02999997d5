(define (domain multi-agent-coordination)
  (:requirements :strips :typing :equality :negative-preconditions)
  (:types
    robot room ball - object
    light-ball heavy-ball - ball)
  (:predicates
    (robot-at ?r - robot ?where - room)
    (ball-at ?b - ball ?where - room)
    (connected ?from ?to - room)
    (free ?r - robot)
    (carries ?r - robot ?b - light-ball)
    (carry-together ?r ?other - robot ?b - heavy-ball))

  (:action move
    :parameters (?r - robot ?from ?to - room)
    :precondition (and (robot-at ?r ?from) (connected ?from ?to) (free ?r))
    :effect (and (robot-at ?r ?to) (not (robot-at ?r ?from))))

  (:action carry
    :parameters (?r - robot ?b - light-ball ?from ?to - room)
    :precondition (and (robot-at ?r ?from) (connected ?from ?to) (carries ?r ?b))
    :effect (and (robot-at ?r ?to) (not (robot-at ?r ?from))))

  (:action carry-both
    :parameters (?r ?other - robot ?b - heavy-ball ?from ?to - room)
    :precondition (and (robot-at ?r ?from) (robot-at ?other ?from) (connected ?from ?to) (carry-together ?r ?other ?b))
    :effect (and (robot-at ?r ?to) (robot-at ?other ?to) (not (robot-at ?r ?from)) (not (robot-at ?other ?from))))

  (:action pick
    :parameters (?r - robot ?b - light-ball ?where - room)
    :precondition (and (robot-at ?r ?where) (ball-at ?b ?where) (free ?r))
    :effect (and (carries ?r ?b) (not (ball-at ?b ?where)) (not (free ?r))))

  (:action drop
    :parameters (?r - robot ?b - light-ball ?where - room)
    :precondition (and (robot-at ?r ?where) (carries ?r ?b))
    :effect (and (ball-at ?b ?where) (free ?r) (not (carries ?r ?b))))

  (:action pick-both
    :parameters (?r ?other - robot ?b - heavy-ball ?where - room)
    :precondition (and
      (robot-at ?r ?where) (robot-at ?other ?where) (ball-at ?b ?where)
      (free ?r) (free ?other) (not (= ?r ?other)))
    :effect (and (carry-together ?r ?other ?b) (not (ball-at ?b ?where)) (not (free ?r)) (not (free ?other))))

  (:action drop-both
    :parameters (?r ?other - robot ?b - heavy-ball ?where - room)
    :precondition (and (robot-at ?r ?where) (robot-at ?other ?where) (carry-together ?r ?other ?b))
    :effect (and (ball-at ?b ?where) (free ?r) (free ?other) (not (carry-together ?r ?other ?b)))))
