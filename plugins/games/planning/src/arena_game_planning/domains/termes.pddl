(define (domain termes)
  (:requirements :strips :typing)
  (:types cell height)
  (:predicates
    (robot-at ?c - cell)
    (height-of ?c - cell ?h - height)
    (beside ?c ?next - cell)
    (depot ?c - cell)
    (not-depot ?c - cell)
    (one-higher ?high ?low - height)
    (carries-block)
    (carries-nothing))

  (:action walk
    :parameters (?from ?to - cell ?h - height)
    :precondition (and (robot-at ?from) (beside ?from ?to) (height-of ?from ?h) (height-of ?to ?h))
    :effect (and (robot-at ?to) (not (robot-at ?from))))

  (:action climb-up
    :parameters (?from ?to - cell ?low ?high - height)
    :precondition (and
      (robot-at ?from) (beside ?from ?to)
      (height-of ?from ?low) (height-of ?to ?high) (one-higher ?high ?low))
    :effect (and (robot-at ?to) (not (robot-at ?from))))

  (:action climb-down
    :parameters (?from ?to - cell ?high ?low - height)
    :precondition (and
      (robot-at ?from) (beside ?from ?to)
      (height-of ?from ?high) (height-of ?to ?low) (one-higher ?high ?low))
    :effect (and (robot-at ?to) (not (robot-at ?from))))

  (:action place-block
    :parameters (?stand ?c - cell ?low ?high - height)
    :precondition (and
      (robot-at ?stand) (beside ?stand ?c) (carries-block) (not-depot ?c)
      (height-of ?stand ?low) (height-of ?c ?low) (one-higher ?high ?low))
    :effect (and
      (height-of ?c ?high) (carries-nothing)
      (not (height-of ?c ?low)) (not (carries-block))))

  (:action take-block
    :parameters (?stand ?c - cell ?high ?low - height)
    :precondition (and
      (robot-at ?stand) (beside ?stand ?c) (carries-nothing)
      (height-of ?stand ?low) (height-of ?c ?high) (one-higher ?high ?low))
    :effect (and
      (height-of ?c ?low) (carries-block)
      (not (height-of ?c ?high)) (not (carries-nothing))))

  (:action fetch-block
    :parameters (?c - cell)
    :precondition (and (robot-at ?c) (depot ?c) (carries-nothing))
    :effect (and (carries-block) (not (carries-nothing))))

  (:action return-block
    :parameters (?c - cell)
    :precondition (and (robot-at ?c) (depot ?c) (carries-block))
    :effect (and (carries-nothing) (not (carries-block)))))
