(define (domain sugar)
  (:requirements :strips :typing :numeric-fluents)
  (:types
    place brand truck crane - object
    mill depot - place)
  (:predicates
    (road ?from ?to - place)
    (truck-at ?t - truck ?p - place)
    (crane-of ?c - crane ?m - mill)
    (set-for ?m - mill ?b - brand)
    (can-change ?m - mill ?from ?to - brand))
  (:functions
    (cane ?m - mill)
    (delivery ?m - mill)
    (deliveries-left ?m - mill)
    (stock ?b - brand ?m - mill)
    (lifts-left ?c - crane)
    (lifts ?c - crane)
    (space ?t - truck)
    (aboard ?b - brand ?t - truck)
    (delivered ?b - brand ?d - depot))

  (:action change-brand
    :parameters (?m - mill ?from ?to - brand)
    :precondition (and (set-for ?m ?from) (can-change ?m ?from ?to))
    :effect (and (set-for ?m ?to) (not (set-for ?m ?from))))

  (:action mill-cane
    :parameters (?m - mill ?b - brand)
    :precondition (and (set-for ?m ?b) (>= (cane ?m) 1))
    :effect (and (decrease (cane ?m) 1) (increase (stock ?b ?m) 1)))

  (:action resupply
    :parameters (?m - mill)
    :precondition (and (= (cane ?m) 0) (>= (deliveries-left ?m) 1))
    :effect (and (assign (cane ?m) (delivery ?m)) (decrease (deliveries-left ?m) 1)))

  (:action service-crane
    :parameters (?c - crane)
    :precondition (and (= (lifts-left ?c) 0))
    :effect (and (assign (lifts-left ?c) (lifts ?c))))

  (:action load
    :parameters (?c - crane ?m - mill ?b - brand ?t - truck)
    :precondition (and
      (crane-of ?c ?m) (truck-at ?t ?m)
      (>= (lifts-left ?c) 1) (>= (stock ?b ?m) 1) (>= (space ?t) 1))
    :effect (and
      (decrease (lifts-left ?c) 1) (decrease (stock ?b ?m) 1)
      (decrease (space ?t) 1) (increase (aboard ?b ?t) 1)))

  (:action drive
    :parameters (?t - truck ?from ?to - place)
    :precondition (and (truck-at ?t ?from) (road ?from ?to))
    :effect (and (truck-at ?t ?to) (not (truck-at ?t ?from))))

  (:action unload
    :parameters (?d - depot ?b - brand ?t - truck)
    :precondition (and (truck-at ?t ?d) (>= (aboard ?b ?t) 1))
    :effect (and
      (decrease (aboard ?b ?t) 1) (increase (space ?t) 1) (increase (delivered ?b ?d) 1))))
