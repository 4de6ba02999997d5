(define (domain satellite)
  (:requirements :strips :typing)
  (:types satellite instrument mode direction)
  (:predicates
    (carries ?s - satellite ?i - instrument)
    (supports ?i - instrument ?m - mode)
    (calibrates-at ?i - instrument ?d - direction)
    (points-at ?s - satellite ?d - direction)
    (has-power ?s - satellite)
    (switched-on ?i - instrument)
    (calibrated ?i - instrument)
    (has-image ?d - direction ?m - mode))

  (:action turn
    :parameters (?s - satellite ?to ?from - direction)
    :precondition (points-at ?s ?from)
    :effect (and (points-at ?s ?to) (not (points-at ?s ?from))))

  (:action switch-on
    :parameters (?i - instrument ?s - satellite)
    :precondition (and (carries ?s ?i) (has-power ?s))
    :effect (and (switched-on ?i) (not (calibrated ?i)) (not (has-power ?s))))

  (:action switch-off
    :parameters (?i - instrument ?s - satellite)
    :precondition (and (carries ?s ?i) (switched-on ?i))
    :effect (and (has-power ?s) (not (switched-on ?i))))

  (:action calibrate
    :parameters (?s - satellite ?i - instrument ?d - direction)
    :precondition (and (carries ?s ?i) (switched-on ?i) (calibrates-at ?i ?d) (points-at ?s ?d))
    :effect (calibrated ?i))

  (:action take-image
    :parameters (?s - satellite ?d - direction ?i - instrument ?m - mode)
    :precondition (and (carries ?s ?i) (switched-on ?i) (calibrated ?i) (supports ?i ?m) (points-at ?s ?d))
    :effect (has-image ?d ?m)))
