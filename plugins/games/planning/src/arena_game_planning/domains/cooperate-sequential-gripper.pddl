(define (domain cooperate-sequential-gripper)
  (:requirements :strips :typing)
  (:types robot gripper room ball door stage)
  (:predicates
    (robot-at ?r - robot ?where - room)
    (ball-at ?b - ball ?where - room)
    (gripper-of ?g - gripper ?r - robot)
    (free ?g - gripper)
    (carries ?g - gripper ?b - ball)
    (door-between ?d - door ?from ?to - room)
    (open ?d - door)
    (locked ?d - door)
    (has-key ?r - robot ?d - door)
    (stage ?b - ball ?s - stage)
    (follows ?s ?next - stage)
    (stop ?b - ball ?s - stage ?where - room))

  (:action move
    :parameters (?r - robot ?from ?to - room ?d - door)
    :precondition (and (robot-at ?r ?from) (door-between ?d ?from ?to) (open ?d))
    :effect (and (robot-at ?r ?to) (not (robot-at ?r ?from))))

  (:action unlock
    :parameters (?r - robot ?d - door ?from ?to - room)
    :precondition (and (robot-at ?r ?from) (door-between ?d ?from ?to) (locked ?d) (has-key ?r ?d))
    :effect (and (open ?d) (not (locked ?d))))

  (:action pick
    :parameters (?r - robot ?g - gripper ?b - ball ?where - room)
    :precondition (and (robot-at ?r ?where) (gripper-of ?g ?r) (free ?g) (ball-at ?b ?where))
    :effect (and (carries ?g ?b) (not (free ?g)) (not (ball-at ?b ?where))))

  (:action drop
    :parameters (?r - robot ?g - gripper ?b - ball ?where - room)
    :precondition (and (robot-at ?r ?where) (gripper-of ?g ?r) (carries ?g ?b))
    :effect (and (ball-at ?b ?where) (free ?g) (not (carries ?g ?b))))

  (:action check-in
    :parameters (?b - ball ?where - room ?s ?next - stage)
    :precondition (and (ball-at ?b ?where) (stage ?b ?s) (follows ?s ?next) (stop ?b ?s ?where))
    :effect (and (stage ?b ?next) (not (stage ?b ?s)))))
