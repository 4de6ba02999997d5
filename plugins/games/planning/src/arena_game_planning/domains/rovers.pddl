(define (domain rovers)
  (:requirements :strips :typing)
  (:types rover place store camera mode objective lander)
  (:predicates
    (at ?r - rover ?p - place)
    (lander-at ?l - lander ?p - place)
    (route ?r - rover ?from ?to - place)
    (sees ?p ?q - place)
    (for-soil ?r - rover)
    (for-rock ?r - rover)
    (for-images ?r - rover)
    (store-of ?s - store ?r - rover)
    (empty ?s - store)
    (full ?s - store)
    (soil-at ?p - place)
    (rock-at ?p - place)
    (has-soil ?r - rover ?p - place)
    (has-rock ?r - rover ?p - place)
    (on-board ?c - camera ?r - rover)
    (supports ?c - camera ?m - mode)
    (target-of ?c - camera ?o - objective)
    (visible-from ?o - objective ?p - place)
    (calibrated ?c - camera)
    (has-image ?r - rover ?o - objective ?m - mode)
    (sent-soil ?p - place)
    (sent-rock ?p - place)
    (sent-image ?o - objective ?m - mode))

  (:action drive
    :parameters (?r - rover ?from ?to - place)
    :precondition (and (at ?r ?from) (route ?r ?from ?to))
    :effect (and (at ?r ?to) (not (at ?r ?from))))

  (:action sample-soil
    :parameters (?r - rover ?s - store ?p - place)
    :precondition (and (at ?r ?p) (soil-at ?p) (for-soil ?r) (store-of ?s ?r) (empty ?s))
    :effect (and (has-soil ?r ?p) (full ?s) (not (empty ?s)) (not (soil-at ?p))))

  (:action sample-rock
    :parameters (?r - rover ?s - store ?p - place)
    :precondition (and (at ?r ?p) (rock-at ?p) (for-rock ?r) (store-of ?s ?r) (empty ?s))
    :effect (and (has-rock ?r ?p) (full ?s) (not (empty ?s)) (not (rock-at ?p))))

  (:action drop
    :parameters (?r - rover ?s - store)
    :precondition (and (store-of ?s ?r) (full ?s))
    :effect (and (empty ?s) (not (full ?s))))

  (:action calibrate
    :parameters (?r - rover ?c - camera ?o - objective ?p - place)
    :precondition (and (for-images ?r) (on-board ?c ?r) (target-of ?c ?o) (at ?r ?p) (visible-from ?o ?p))
    :effect (calibrated ?c))

  (:action take-image
    :parameters (?r - rover ?p - place ?o - objective ?c - camera ?m - mode)
    :precondition (and (calibrated ?c) (on-board ?c ?r) (for-images ?r) (supports ?c ?m) (visible-from ?o ?p) (at ?r ?p))
    :effect (and (has-image ?r ?o ?m) (not (calibrated ?c))))

  (:action send-soil
    :parameters (?r - rover ?l - lander ?sample ?from ?to - place)
    :precondition (and (at ?r ?from) (lander-at ?l ?to) (sees ?from ?to) (has-soil ?r ?sample))
    :effect (sent-soil ?sample))

  (:action send-rock
    :parameters (?r - rover ?l - lander ?sample ?from ?to - place)
    :precondition (and (at ?r ?from) (lander-at ?l ?to) (sees ?from ?to) (has-rock ?r ?sample))
    :effect (sent-rock ?sample))

  (:action send-image
    :parameters (?r - rover ?l - lander ?o - objective ?m - mode ?from ?to - place)
    :precondition (and (at ?r ?from) (lander-at ?l ?to) (sees ?from ?to) (has-image ?r ?o ?m))
    :effect (sent-image ?o ?m)))
