(define (domain blocksworld)
  (:requirements :strips :typing)
  (:types block)
  (:predicates
    (on ?above ?below - block)
    (on-table ?b - block)
    (clear ?b - block)
    (hand-empty)
    (holding ?b - block))

  (:action pick-up
    :parameters (?b - block)
    :precondition (and (clear ?b) (on-table ?b) (hand-empty))
    :effect (and (holding ?b) (not (on-table ?b)) (not (clear ?b)) (not (hand-empty))))

  (:action put-down
    :parameters (?b - block)
    :precondition (holding ?b)
    :effect (and (on-table ?b) (clear ?b) (hand-empty) (not (holding ?b))))

  (:action stack
    :parameters (?b ?onto - block)
    :precondition (and (holding ?b) (clear ?onto))
    :effect (and (on ?b ?onto) (clear ?b) (hand-empty) (not (holding ?b)) (not (clear ?onto))))

  (:action unstack
    :parameters (?b ?from - block)
    :precondition (and (on ?b ?from) (clear ?b) (hand-empty))
    :effect (and (holding ?b) (clear ?from) (not (on ?b ?from)) (not (clear ?b)) (not (hand-empty)))))
