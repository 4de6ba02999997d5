(define (domain settlersnumeric)
  (:requirements :strips :typing :numeric-fluents)
  (:types
    store resource - object
    place vehicle - store
    cart train ship - vehicle)
  (:constants timber wood stone ore coal iron - resource)
  (:predicates
    (woodland ?p - place)
    (mountain ?p - place)
    (metal-bearing ?p - place)
    (by-coast ?p - place)
    (land-link ?p ?q - place)
    (sea-link ?p ?q - place)
    (rail-link ?p ?q - place)
    (has-cabin ?p - place)
    (has-quarry ?p - place)
    (has-mine ?p - place)
    (has-sawmill ?p - place)
    (has-coal-stack ?p - place)
    (has-ironworks ?p - place)
    (has-docks ?p - place)
    (unbuilt ?v - vehicle)
    (vehicle-at ?v - vehicle ?p - place))
  (:functions
    (available ?r - resource ?s - store)
    (space ?v - vehicle)
    (housing ?p - place))

  (:action build-cabin
    :parameters (?p - place)
    :precondition (woodland ?p)
    :effect (and (has-cabin ?p)))

  (:action build-quarry
    :parameters (?p - place)
    :precondition (mountain ?p)
    :effect (and (has-quarry ?p)))

  (:action build-mine
    :parameters (?p - place)
    :precondition (and (metal-bearing ?p) (>= (available wood ?p) 1))
    :effect (and (has-mine ?p) (decrease (available wood ?p) 1)))

  (:action build-sawmill
    :parameters (?p - place)
    :precondition (and (>= (available timber ?p) 2))
    :effect (and (has-sawmill ?p) (decrease (available timber ?p) 2)))

  (:action build-coal-stack
    :parameters (?p - place)
    :precondition (and (>= (available timber ?p) 1))
    :effect (and (has-coal-stack ?p) (decrease (available timber ?p) 1)))

  (:action build-ironworks
    :parameters (?p - place)
    :precondition (and (>= (available stone ?p) 2) (>= (available wood ?p) 1))
    :effect (and (has-ironworks ?p) (decrease (available stone ?p) 2) (decrease (available wood ?p) 1)))

  (:action build-docks
    :parameters (?p - place)
    :precondition (and (by-coast ?p) (>= (available stone ?p) 2) (>= (available wood ?p) 1))
    :effect (and (has-docks ?p) (decrease (available stone ?p) 2) (decrease (available wood ?p) 1)))

  (:action build-house
    :parameters (?p - place)
    :precondition (and (>= (available wood ?p) 1) (>= (available stone ?p) 1))
    :effect (and (increase (housing ?p) 1) (decrease (available wood ?p) 1) (decrease (available stone ?p) 1)))

  (:action build-rail
    :parameters (?p ?q - place)
    :precondition (and (land-link ?p ?q) (>= (available wood ?p) 1) (>= (available iron ?p) 1))
    :effect (and
      (rail-link ?p ?q) (rail-link ?q ?p)
      (decrease (available wood ?p) 1) (decrease (available iron ?p) 1)))

  (:action build-cart
    :parameters (?v - cart ?p - place)
    :precondition (and (unbuilt ?v) (>= (available timber ?p) 1))
    :effect (and (vehicle-at ?v ?p) (not (unbuilt ?v)) (decrease (available timber ?p) 1)))

  (:action build-train
    :parameters (?v - train ?p - place)
    :precondition (and (unbuilt ?v) (>= (available iron ?p) 2))
    :effect (and (vehicle-at ?v ?p) (not (unbuilt ?v)) (decrease (available iron ?p) 2)))

  (:action build-ship
    :parameters (?v - ship ?p - place)
    :precondition (and (unbuilt ?v) (has-docks ?p) (>= (available iron ?p) 1) (>= (available wood ?p) 1))
    :effect (and
      (vehicle-at ?v ?p) (not (unbuilt ?v))
      (decrease (available iron ?p) 1) (decrease (available wood ?p) 1)))

  (:action fell-timber
    :parameters (?p - place)
    :precondition (has-cabin ?p)
    :effect (and (increase (available timber ?p) 1)))

  (:action break-stone
    :parameters (?p - place)
    :precondition (has-quarry ?p)
    :effect (and (increase (available stone ?p) 1)))

  (:action mine-ore
    :parameters (?p - place)
    :precondition (has-mine ?p)
    :effect (and (increase (available ore ?p) 1)))

  (:action saw-wood
    :parameters (?p - place)
    :precondition (and (has-sawmill ?p) (>= (available timber ?p) 1))
    :effect (and (increase (available wood ?p) 1) (decrease (available timber ?p) 1)))

  (:action burn-coal
    :parameters (?p - place)
    :precondition (and (has-coal-stack ?p) (>= (available timber ?p) 1))
    :effect (and (increase (available coal ?p) 1) (decrease (available timber ?p) 1)))

  (:action smelt-iron
    :parameters (?p - place)
    :precondition (and (has-ironworks ?p) (>= (available ore ?p) 1) (>= (available coal ?p) 1))
    :effect (and
      (increase (available iron ?p) 1)
      (decrease (available ore ?p) 1) (decrease (available coal ?p) 1)))

  (:action load
    :parameters (?r - resource ?v - vehicle ?p - place)
    :precondition (and (vehicle-at ?v ?p) (>= (available ?r ?p) 1) (>= (space ?v) 1))
    :effect (and
      (decrease (available ?r ?p) 1) (increase (available ?r ?v) 1) (decrease (space ?v) 1)))

  (:action unload
    :parameters (?r - resource ?v - vehicle ?p - place)
    :precondition (and (vehicle-at ?v ?p) (>= (available ?r ?v) 1))
    :effect (and
      (increase (available ?r ?p) 1) (decrease (available ?r ?v) 1) (increase (space ?v) 1)))

  (:action move-cart
    :parameters (?v - cart ?p ?q - place)
    :precondition (and (vehicle-at ?v ?p) (land-link ?p ?q))
    :effect (and (vehicle-at ?v ?q) (not (vehicle-at ?v ?p))))

  (:action move-train
    :parameters (?v - train ?p ?q - place)
    :precondition (and (vehicle-at ?v ?p) (rail-link ?p ?q))
    :effect (and (vehicle-at ?v ?q) (not (vehicle-at ?v ?p))))

  (:action move-ship
    :parameters (?v - ship ?p ?q - place)
    :precondition (and (vehicle-at ?v ?p) (sea-link ?p ?q))
    :effect (and (vehicle-at ?v ?q) (not (vehicle-at ?v ?p)))))
