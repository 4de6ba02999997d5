(define (domain freecell)
  (:requirements :strips :typing)
  (:types card count)
  (:predicates
    (on ?c ?below - card)
    (in-cell ?c - card)
    (clear ?c - card)
    (lowest ?c - card)
    (home ?c - card)
    (fits-on ?c ?below - card)
    (next-in-suit ?lower ?c - card)
    (free-cells ?n - count)
    (free-columns ?n - count)
    (next ?n ?more - count))

  (:action stack
    :parameters (?c ?from ?to - card)
    :precondition (and (clear ?c) (on ?c ?from) (clear ?to) (fits-on ?c ?to))
    :effect (and (on ?c ?to) (clear ?from) (not (on ?c ?from)) (not (clear ?to))))

  (:action stack-lowest
    :parameters (?c ?to - card ?columns ?more - count)
    :precondition (and (clear ?c) (lowest ?c) (clear ?to) (fits-on ?c ?to) (free-columns ?columns) (next ?columns ?more))
    :effect (and
      (on ?c ?to) (free-columns ?more)
      (not (lowest ?c)) (not (clear ?to)) (not (free-columns ?columns))))

  (:action stack-from-cell
    :parameters (?c ?to - card ?cells ?more - count)
    :precondition (and (in-cell ?c) (clear ?to) (fits-on ?c ?to) (free-cells ?cells) (next ?cells ?more))
    :effect (and
      (on ?c ?to) (clear ?c) (free-cells ?more)
      (not (in-cell ?c)) (not (clear ?to)) (not (free-cells ?cells))))

  (:action start-column
    :parameters (?c ?from - card ?columns ?fewer - count)
    :precondition (and (clear ?c) (on ?c ?from) (free-columns ?columns) (next ?fewer ?columns))
    :effect (and
      (lowest ?c) (clear ?from) (free-columns ?fewer)
      (not (on ?c ?from)) (not (free-columns ?columns))))

  (:action start-column-from-cell
    :parameters (?c - card ?cells ?more ?columns ?fewer - count)
    :precondition (and
      (in-cell ?c) (free-cells ?cells) (next ?cells ?more)
      (free-columns ?columns) (next ?fewer ?columns))
    :effect (and
      (lowest ?c) (clear ?c) (free-cells ?more) (free-columns ?fewer)
      (not (in-cell ?c)) (not (free-cells ?cells)) (not (free-columns ?columns))))

  (:action to-cell
    :parameters (?c ?from - card ?cells ?fewer - count)
    :precondition (and (clear ?c) (on ?c ?from) (free-cells ?cells) (next ?fewer ?cells))
    :effect (and
      (in-cell ?c) (clear ?from) (free-cells ?fewer)
      (not (on ?c ?from)) (not (clear ?c)) (not (free-cells ?cells))))

  (:action to-cell-lowest
    :parameters (?c - card ?cells ?fewer ?columns ?more - count)
    :precondition (and
      (clear ?c) (lowest ?c) (free-cells ?cells) (next ?fewer ?cells)
      (free-columns ?columns) (next ?columns ?more))
    :effect (and
      (in-cell ?c) (free-cells ?fewer) (free-columns ?more)
      (not (lowest ?c)) (not (clear ?c)) (not (free-cells ?cells)) (not (free-columns ?columns))))

  (:action go-home
    :parameters (?c ?from ?top - card)
    :precondition (and (clear ?c) (on ?c ?from) (home ?top) (next-in-suit ?top ?c))
    :effect (and (home ?c) (clear ?from) (not (on ?c ?from)) (not (clear ?c)) (not (home ?top))))

  (:action go-home-lowest
    :parameters (?c ?top - card ?columns ?more - count)
    :precondition (and
      (clear ?c) (lowest ?c) (home ?top) (next-in-suit ?top ?c)
      (free-columns ?columns) (next ?columns ?more))
    :effect (and
      (home ?c) (free-columns ?more)
      (not (lowest ?c)) (not (clear ?c)) (not (home ?top)) (not (free-columns ?columns))))

  (:action go-home-from-cell
    :parameters (?c ?top - card ?cells ?more - count)
    :precondition (and
      (in-cell ?c) (home ?top) (next-in-suit ?top ?c)
      (free-cells ?cells) (next ?cells ?more))
    :effect (and
      (home ?c) (free-cells ?more)
      (not (in-cell ?c)) (not (home ?top)) (not (free-cells ?cells)))))
