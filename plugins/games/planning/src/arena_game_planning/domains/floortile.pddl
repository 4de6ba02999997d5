(define (domain floortile)
  (:requirements :strips :typing)
  (:types robot tile colour)
  (:predicates
    (robot-at ?r - robot ?t - tile)
    (free ?t - tile)
    (painted ?t - tile ?c - colour)
    (holds ?r - robot ?c - colour)
    (at-hand ?c - colour)
    (above ?high ?low - tile)
    (right-of ?right ?left - tile))

  (:action change-colour
    :parameters (?r - robot ?from ?to - colour)
    :precondition (and (holds ?r ?from) (at-hand ?to))
    :effect (and (holds ?r ?to) (not (holds ?r ?from))))

  (:action paint-above
    :parameters (?r - robot ?tile ?stand - tile ?c - colour)
    :precondition (and (holds ?r ?c) (robot-at ?r ?stand) (above ?tile ?stand) (free ?tile))
    :effect (and (painted ?tile ?c) (not (free ?tile))))

  (:action paint-below
    :parameters (?r - robot ?tile ?stand - tile ?c - colour)
    :precondition (and (holds ?r ?c) (robot-at ?r ?stand) (above ?stand ?tile) (free ?tile))
    :effect (and (painted ?tile ?c) (not (free ?tile))))

  (:action go-up
    :parameters (?r - robot ?from ?to - tile)
    :precondition (and (robot-at ?r ?from) (above ?to ?from) (free ?to))
    :effect (and (robot-at ?r ?to) (free ?from) (not (robot-at ?r ?from)) (not (free ?to))))

  (:action go-down
    :parameters (?r - robot ?from ?to - tile)
    :precondition (and (robot-at ?r ?from) (above ?from ?to) (free ?to))
    :effect (and (robot-at ?r ?to) (free ?from) (not (robot-at ?r ?from)) (not (free ?to))))

  (:action go-right
    :parameters (?r - robot ?from ?to - tile)
    :precondition (and (robot-at ?r ?from) (right-of ?to ?from) (free ?to))
    :effect (and (robot-at ?r ?to) (free ?from) (not (robot-at ?r ?from)) (not (free ?to))))

  (:action go-left
    :parameters (?r - robot ?from ?to - tile)
    :precondition (and (robot-at ?r ?from) (right-of ?from ?to) (free ?to))
    :effect (and (robot-at ?r ?to) (free ?from) (not (robot-at ?r ?from)) (not (free ?to)))))
