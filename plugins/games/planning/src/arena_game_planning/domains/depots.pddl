(define (domain depots)
  (:requirements :strips :typing)
  (:types
    place locatable - object
    depot distributor - place
    truck hoist surface - locatable
    pallet crate - surface)
  (:predicates
    (at ?x - locatable ?where - place)
    (on ?c - crate ?s - surface)
    (in ?c - crate ?t - truck)
    (lifting ?h - hoist ?c - crate)
    (ready ?h - hoist)
    (clear ?s - surface))

  (:action drive
    :parameters (?t - truck ?from ?to - place)
    :precondition (at ?t ?from)
    :effect (and (at ?t ?to) (not (at ?t ?from))))

  (:action lift
    :parameters (?h - hoist ?c - crate ?s - surface ?where - place)
    :precondition (and (at ?h ?where) (ready ?h) (at ?c ?where) (on ?c ?s) (clear ?c))
    :effect (and
      (lifting ?h ?c) (clear ?s)
      (not (at ?c ?where)) (not (on ?c ?s)) (not (clear ?c)) (not (ready ?h))))

  (:action set-down
    :parameters (?h - hoist ?c - crate ?s - surface ?where - place)
    :precondition (and (at ?h ?where) (at ?s ?where) (clear ?s) (lifting ?h ?c))
    :effect (and
      (ready ?h) (at ?c ?where) (on ?c ?s) (clear ?c)
      (not (lifting ?h ?c)) (not (clear ?s))))

  (:action load
    :parameters (?h - hoist ?c - crate ?t - truck ?where - place)
    :precondition (and (at ?h ?where) (at ?t ?where) (lifting ?h ?c))
    :effect (and (in ?c ?t) (ready ?h) (not (lifting ?h ?c))))

  (:action unload
    :parameters (?h - hoist ?c - crate ?t - truck ?where - place)
    :precondition (and (at ?h ?where) (at ?t ?where) (ready ?h) (in ?c ?t))
    :effect (and (lifting ?h ?c) (not (in ?c ?t)) (not (ready ?h)))))
