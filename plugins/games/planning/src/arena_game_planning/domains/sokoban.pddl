(define (domain sokoban)
  (:requirements :strips :typing)
  (:types cell box direction)
  (:predicates
    (player-at ?c - cell)
    (box-at ?b - box ?c - cell)
    (free ?c - cell)
    (beside ?c ?next - cell ?d - direction))

  (:action walk
    :parameters (?from ?to - cell ?d - direction)
    :precondition (and (player-at ?from) (beside ?from ?to ?d) (free ?to))
    :effect (and (player-at ?to) (free ?from) (not (player-at ?from)) (not (free ?to))))

  (:action push
    :parameters (?b - box ?stand ?from ?to - cell ?d - direction)
    :precondition (and
      (player-at ?stand) (box-at ?b ?from)
      (beside ?stand ?from ?d) (beside ?from ?to ?d) (free ?to))
    :effect (and
      (player-at ?from) (box-at ?b ?to) (free ?stand)
      (not (player-at ?stand)) (not (box-at ?b ?from)) (not (free ?to)))))
