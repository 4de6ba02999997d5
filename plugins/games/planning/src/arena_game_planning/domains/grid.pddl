(define (domain grid)
  (:requirements :strips :typing)
  (:types cell key shape)
  (:predicates
    (robot-at ?c - cell)
    (beside ?c ?next - cell)
    (open ?c - cell)
    (locked ?c - cell)
    (lock-shape ?c - cell ?s - shape)
    (key-shape ?k - key ?s - shape)
    (key-at ?k - key ?c - cell)
    (holding ?k - key)
    (hand-empty))

  (:action move
    :parameters (?from ?to - cell)
    :precondition (and (robot-at ?from) (beside ?from ?to) (open ?to))
    :effect (and (robot-at ?to) (not (robot-at ?from))))

  (:action unlock
    :parameters (?stand ?lock - cell ?k - key ?s - shape)
    :precondition (and
      (robot-at ?stand) (beside ?stand ?lock) (locked ?lock)
      (lock-shape ?lock ?s) (key-shape ?k ?s) (holding ?k))
    :effect (and (open ?lock) (not (locked ?lock))))

  (:action pick-up
    :parameters (?c - cell ?k - key)
    :precondition (and (robot-at ?c) (key-at ?k ?c) (hand-empty))
    :effect (and (holding ?k) (not (key-at ?k ?c)) (not (hand-empty))))

  (:action put-down
    :parameters (?c - cell ?k - key)
    :precondition (and (robot-at ?c) (holding ?k))
    :effect (and (key-at ?k ?c) (hand-empty) (not (holding ?k))))

  (:action swap
    :parameters (?c - cell ?taken ?left - key)
    :precondition (and (robot-at ?c) (key-at ?taken ?c) (holding ?left))
    :effect (and (holding ?taken) (key-at ?left ?c) (not (holding ?left)) (not (key-at ?taken ?c)))))
