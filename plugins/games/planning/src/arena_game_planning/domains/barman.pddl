(define (domain barman)
  (:requirements :strips :typing)
  (:types
    hand level beverage dispenser container - object
    ingredient cocktail - beverage
    shot shaker - container)
  (:predicates
    (on-bar ?c - container)
    (holds ?h - hand ?c - container)
    (free ?h - hand)
    (other ?h ?o - hand)
    (pours ?d - dispenser ?i - ingredient)
    (empty ?c - container)
    (clean ?c - container)
    (contains ?c - container ?b - beverage)
    (stained ?s - shot ?b - beverage)
    (shaker-level ?s - shaker ?l - level)
    (empty-level ?s - shaker ?l - level)
    (above ?low ?high - level)
    (mixing ?s - shaker)
    (shaken ?s - shaker)
    (first-part ?c - cocktail ?i - ingredient)
    (second-part ?c - cocktail ?i - ingredient))

  (:action grasp
    :parameters (?h - hand ?c - container)
    :precondition (and (on-bar ?c) (free ?h))
    :effect (and (holds ?h ?c) (not (on-bar ?c)) (not (free ?h))))

  (:action put-down
    :parameters (?h - hand ?c - container)
    :precondition (holds ?h ?c)
    :effect (and (on-bar ?c) (free ?h) (not (holds ?h ?c))))

  (:action fill
    :parameters (?s - shot ?i - ingredient ?h ?o - hand ?d - dispenser)
    :precondition (and (holds ?h ?s) (other ?h ?o) (free ?o) (pours ?d ?i) (empty ?s) (clean ?s))
    :effect (and (contains ?s ?i) (stained ?s ?i) (not (empty ?s)) (not (clean ?s))))

  (:action refill
    :parameters (?s - shot ?i - ingredient ?h ?o - hand ?d - dispenser)
    :precondition (and (holds ?h ?s) (other ?h ?o) (free ?o) (pours ?d ?i) (empty ?s) (stained ?s ?i))
    :effect (and (contains ?s ?i) (not (empty ?s))))

  (:action tip-out
    :parameters (?h - hand ?s - shot ?b - beverage)
    :precondition (and (holds ?h ?s) (contains ?s ?b))
    :effect (and (empty ?s) (not (contains ?s ?b))))

  (:action wash-shot
    :parameters (?s - shot ?b - beverage ?h ?o - hand)
    :precondition (and (holds ?h ?s) (other ?h ?o) (free ?o) (empty ?s) (stained ?s ?b))
    :effect (and (clean ?s) (not (stained ?s ?b))))

  (:action pour-into-shaker
    :parameters (?s - shot ?i - ingredient ?k - shaker ?h - hand ?low ?high - level)
    :precondition (and
      (holds ?h ?s) (contains ?s ?i) (mixing ?k)
      (shaker-level ?k ?low) (above ?low ?high))
    :effect (and
      (contains ?k ?i) (empty ?s) (shaker-level ?k ?high)
      (not (contains ?s ?i)) (not (empty ?k)) (not (clean ?k)) (not (shaker-level ?k ?low))))

  (:action shake
    :parameters (?c - cocktail ?i ?j - ingredient ?k - shaker ?h ?o - hand)
    :precondition (and
      (holds ?h ?k) (other ?h ?o) (free ?o) (mixing ?k)
      (contains ?k ?i) (contains ?k ?j) (first-part ?c ?i) (second-part ?c ?j))
    :effect (and
      (contains ?k ?c) (shaken ?k)
      (not (mixing ?k)) (not (contains ?k ?i)) (not (contains ?k ?j))))

  (:action pour-into-shot
    :parameters (?c - cocktail ?s - shot ?h - hand ?k - shaker ?high ?low - level)
    :precondition (and
      (holds ?h ?k) (shaken ?k) (contains ?k ?c) (empty ?s) (clean ?s)
      (shaker-level ?k ?high) (above ?low ?high))
    :effect (and
      (contains ?s ?c) (stained ?s ?c) (shaker-level ?k ?low)
      (not (empty ?s)) (not (clean ?s)) (not (shaker-level ?k ?high))))

  (:action empty-shaker
    :parameters (?h - hand ?k - shaker ?c - cocktail ?now ?none - level)
    :precondition (and (holds ?h ?k) (shaken ?k) (contains ?k ?c) (shaker-level ?k ?now) (empty-level ?k ?none))
    :effect (and
      (empty ?k) (shaker-level ?k ?none)
      (not (shaker-level ?k ?now)) (not (contains ?k ?c)) (not (shaken ?k))))

  (:action wash-shaker
    :parameters (?h ?o - hand ?k - shaker)
    :precondition (and (holds ?h ?k) (other ?h ?o) (free ?o) (empty ?k))
    :effect (and (clean ?k) (mixing ?k))))
