(define (domain assembly)
  (:requirements :adl)
  (:types item resource)
  (:predicates
    (available ?i - item)
    (complete ?i - item)
    (part-of ?p ?whole - item)
    (transient-part ?p ?whole - item)
    (goes-before ?p ?q ?whole - item)
    (supports ?p ?q ?whole - item)
    (in ?p ?whole - item)
    (needs ?whole - item ?r - resource)
    (free ?r - resource)
    (committed ?r - resource ?whole - item))

  (:action commit
    :parameters (?r - resource ?whole - item)
    :precondition (and (free ?r) (needs ?whole ?r))
    :effect (and (committed ?r ?whole) (not (free ?r))))

  (:action release
    :parameters (?r - resource ?whole - item)
    :precondition (committed ?r ?whole)
    :effect (and (free ?r) (not (committed ?r ?whole))))

  (:action assemble
    :parameters (?p ?whole - item)
    :precondition (and
      (available ?p)
      (or (part-of ?p ?whole) (transient-part ?p ?whole))
      (forall (?r - resource) (imply (needs ?whole ?r) (committed ?r ?whole)))
      (forall (?q - item) (imply (or (goes-before ?q ?p ?whole) (supports ?q ?p ?whole)) (in ?q ?whole))))
    :effect (and
      (in ?p ?whole)
      (not (available ?p))
      (when
        (and
          (part-of ?p ?whole)
          (forall (?q - item) (imply (part-of ?q ?whole) (or (= ?q ?p) (in ?q ?whole))))
          (forall (?q - item) (imply (transient-part ?q ?whole) (not (in ?q ?whole)))))
        (and (complete ?whole) (available ?whole)))))

  (:action remove
    :parameters (?p ?whole - item)
    :precondition (and
      (transient-part ?p ?whole)
      (in ?p ?whole)
      (forall (?r - resource) (imply (needs ?whole ?r) (committed ?r ?whole))))
    :effect (and
      (available ?p)
      (not (in ?p ?whole))
      (when
        (and
          (forall (?q - item) (imply (part-of ?q ?whole) (in ?q ?whole)))
          (forall (?q - item) (imply (transient-part ?q ?whole) (or (= ?q ?p) (not (in ?q ?whole))))))
        (and (complete ?whole) (available ?whole))))))
