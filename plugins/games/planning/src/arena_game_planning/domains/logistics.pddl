(define (domain logistics)
  (:requirements :strips :typing)
  (:types
    place vehicle package city - object
    airport - place
    truck airplane - vehicle)
  (:predicates
    (at ?thing - (either vehicle package) ?where - place)
    (in ?p - package ?v - vehicle)
    (in-city ?where - place ?c - city))

  (:action load
    :parameters (?p - package ?v - vehicle ?where - place)
    :precondition (and (at ?p ?where) (at ?v ?where))
    :effect (and (in ?p ?v) (not (at ?p ?where))))

  (:action unload
    :parameters (?p - package ?v - vehicle ?where - place)
    :precondition (and (in ?p ?v) (at ?v ?where))
    :effect (and (at ?p ?where) (not (in ?p ?v))))

  (:action drive
    :parameters (?t - truck ?from ?to - place ?c - city)
    :precondition (and (at ?t ?from) (in-city ?from ?c) (in-city ?to ?c))
    :effect (and (at ?t ?to) (not (at ?t ?from))))

  (:action fly
    :parameters (?a - airplane ?from ?to - airport)
    :precondition (at ?a ?from)
    :effect (and (at ?a ?to) (not (at ?a ?from)))))
