"""What answers of look-ups look like: recipes drawn, names that lead to their own pages, what has happened."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

import arena_scene
import attrs
from arena.game import Decision, Drawing
from arena.record import EVERYONE, GameEvent

from arena_game_tradecraft.rules.amounts import say_amounts, write_amount, write_amounts
from arena_game_tradecraft.rules.ruleset import RuleSet
from arena_game_tradecraft.showing.nearness import amount_of, crafts_away, nearness, say_nearness
from arena_game_tradecraft.showing.words import tell

_MOST: Final = 200
"""The most names in one row."""

_TITLES: Final = {
    "item": "An item",
    "recipes": "Recipes",
    "tag": "A tag",
    "possible_crafts": "What could be crafted",
    "check_craft": "Whether this is a craft",
    "search": "What was found",
    "history": "What has happened",
}


def answer_picture(
    rules: RuleSet, decision: Decision, query: str, answer: Any
) -> "tuple[Drawing, arena_scene.Touches]":
    """The answer to a look-up as a scene, and what can be touched in it."""
    picture = _Picture(rules, decision)
    draw: Callable[[Any], None] = getattr(picture, query)
    draw(answer)
    if not picture.parts:
        picture.text("There is nothing.")
    told = "\n".join(picture.words)
    scene = arena_scene.Scene(_TITLES[query], told, *picture.parts)
    return Drawing(*scene.drawn()), arena_scene.Touches(fills=picture.fills)


@attrs.define
class _Picture:
    """A picture that is made part by part; the methods without an underscore that take an answer are the look-ups."""

    rules: RuleSet
    decision: Decision
    parts: list[Any] = attrs.field(factory=list)
    fills: list[Any] = attrs.field(factory=list)
    words: list[str] = attrs.field(factory=list)
    cards: int = 0

    # look-ups

    def item(self, answer: Any) -> None:
        """What an item is made of, what it goes into, and its tags."""
        name = answer["item"]
        self.text(name if answer["made_by"] else f"{name}: no recipe makes it")
        for recipe in answer["made_by"]:
            self._recipe(recipe)
        self._names(f"{name} goes into", [(own, ()) for own in answer["goes_into"]])
        counts = [(tag, _count(n, name)) for tag, n in answer["tags"].items()]
        self._names(f"{name} may stand for", counts)

    def recipes(self, answer: Any) -> None:
        """A page of recipes."""
        for recipe in answer["recipes"]:
            self._recipe(recipe)
        self._rest(len(answer["recipes"]), answer["total"], "recipes")

    def tag(self, answer: Any) -> None:
        """What may stand for a tag, and what of it is held."""
        held = self._hand
        members = [(own, (*_count(n, own), *_held(own, held))) for own, n in answer["members"].items()]
        members.sort(key=lambda pair: pair[0] not in held)
        self._names(f"any of these, or a mix, is {_said(answer['tag'])}", members)

    def possible_crafts(self, answer: Any) -> None:
        """A page of crafts, those first that lead to the target; in the crafting phase they fill the form."""
        distances = crafts_away(self.rules, self.decision.observation)
        ranked = [(nearness(self.rules, distances, craft), craft) for craft in answer["crafts"]]
        for (_, near), craft in sorted(ranked, key=lambda pair: pair[0][0]):
            self._craft(craft, say_nearness(near))
        self._rest(len(answer["crafts"]), answer["total"], "crafts")

    def check_craft(self, answer: Any) -> None:
        """Whether something is a recipe, and whether it could be done."""
        if answer["is_possible"]:
            self.text("This is a recipe, and you hold what it needs.")
        else:
            self.text(f"{'This is a recipe' if answer['is_recipe'] else 'This is no recipe'}: {answer['reason']}.")

    def search(self, answer: Any) -> None:
        """Names that are like a text."""
        self._names("items with such a name", [(own, _held(own, self._hand)) for own in answer["items"]])

    def history(self, answer: Any) -> None:
        """Events in words, by turn."""
        by_turn: dict[int, list[str]] = {}
        for own in answer["events"]:
            event = GameEvent(own["kind"], own["data"], EVERYONE)
            by_turn.setdefault(own["turn"], []).append(tell(event))
        for turn, told in by_turn.items():
            self.parts.append(
                arena_scene.SceneText(title=f"turn {turn}" if turn else "the start", text="\n".join(told))
            )
            self.words += told

    # parts

    def text(self, told: str) -> None:
        """A sentence of its own."""
        self.parts.append(arena_scene.SceneText(text=told))
        self.words.append(told)

    @property
    def _hand(self) -> dict[str, Fraction]:
        seen: Any = self.decision.observation
        return {item: amount_of(n) for item, n in seen["hand"].items()}

    def _row(self, title: str, note: str, cards: Sequence[Any]) -> None:
        self.parts.append(arena_scene.Cards(title=title, note=note, label=title, cards=cards))
        self.words.append(f"{title}: {', '.join(card.label for card in cards)}{f'; {note}' if note else ''}")

    def _card(self, text: str, role: str = "", notes: Sequence[str] = ()) -> Any:
        self.cards += 1
        label = ", ".join((text.removeprefix("→ "), *notes))
        return arena_scene.SceneCard(id=f"card-{self.cards}", label=label, text=text, role=role, notes=notes)

    def _link(self, name: str, text: str, notes: Sequence[str] = ()) -> Any:
        """A card that looks up what it names, where that is offered."""
        card, query = self._card(_said(text), notes=notes), "tag" if name.startswith("#") else "item"
        if any(own.name == query for own in self.decision.queries):
            label, arguments = f"look up {_said(name)}", {query: name}
            self.fills.append(arena_scene.Fill(path=(card.id,), label=label, query=query, arguments=arguments))
        return card

    def _names(self, title: str, names: Sequence[tuple[str, Sequence[str]]]) -> None:
        if names:
            cards = [self._link(name, name, notes) for name, notes in names[:_MOST]]
            self._row(title, f"{len(names)} in all" if len(names) > _MOST else "", cards)

    def _rest(self, shown: int, total: int, what: str) -> None:
        if shown < total:
            self.text(f"{shown} of {total} {what} are shown; 'skip' leaves out the first ones.")

    def _recipe(self, recipe: Any) -> None:
        """A recipe as what goes in and what comes out; what goes in leads to its own page."""
        cards = [self._link(name, f"{n} {name}") for name, n in recipe["needs"].items()]
        self._row(say_amounts(recipe["makes"]), _kind(recipe), [*cards, self._made(recipe)])

    def _made(self, recipe: Any) -> Any:
        return self._card(f"→ {say_amounts(recipe['makes'])}", "good")

    def _craft(self, craft: Any, near: str) -> None:
        """A recipe with what of the hand goes in: for a tag, what else of the hand would do, in its own amount."""
        held, made = self._hand, say_amounts(craft["makes"])
        given = _Way(inputs=craft["example"]["inputs"], most=craft["most"])
        first = self._way(craft["needs"], {}, held) or given
        can_fill = self.decision.phase == "craft" and given.inputs.keys() <= held.keys()
        ways, cards = [first], list[Any]()
        for name, amount in craft["needs"].items():
            if not name.startswith("#"):
                cards.append(self._card(f"{amount} {name}"))
                continue
            others = list(self._others(craft["needs"], name, held))
            if first is given:  # nothing fills it alone
                mix = {item: n for item, n in given.inputs.items() if item in self.rules.tags[name]}
                cards.append(self._card(say_amounts(mix), "accent", (f"as {amount} {_said(name)}",)))
            for member, way in others:
                is_first = way == first
                own = write_amount(amount_of(amount) * self.rules.tags[name][member])
                notes = (f"{'' if is_first else 'or '}as {amount} {_said(name)}",)
                cards.append(self._card(f"{own} {member}", "accent" if is_first else "faint", notes))
                ways += [] if is_first else [way]
                if can_fill and len(others) > 1:
                    self._fill(cards[-1], f"craft {made} from {say_amounts(way.inputs)}", craft, [way], 0)
        ways += [] if given in ways else [given]
        cards.append(self._made(craft))
        if can_fill:
            self._fill(cards[-1], f"craft {made}", craft, ways, 0)
            for text, label, by in _STEPS if max(way.most for way in ways) > 1 else ():
                cards.append(self._card(text, notes=(label,)))
                self._fill(cards[-1], f"{label}: {made}", craft, ways, by)
        times = f"up to {craft['most']} times" if craft["most"] > 1 else "once"
        self._row(made, ", ".join(filter(None, (near, times, _kind(craft)))), cards)

    def _fill(self, card: Any, label: str, craft: Any, ways: "Sequence[_Way]", by: int) -> None:
        told = [arena_scene.Way(once={"inputs": way.inputs, "output": craft["makes"]}, most=way.most) for way in ways]
        change = arena_scene.Times(ways=told, by=by)
        self.fills.append(arena_scene.Fill(path=(card.id,), label=label, do=[change]))

    def _others(self, needs: Mapping[str, Any], tag: str, held: Mapping[str, Fraction]) -> "Iterator[tuple[str, _Way]]":
        """The held members that fill a tag alone, each with all that goes in then."""
        for member in sorted(held.keys() & self.rules.tags[tag].keys()):
            if way := self._way(needs, {tag: member}, held):
                yield member, way

    def _way(self, needs: Mapping[str, Any], chosen: Mapping[str, str], held: Mapping[str, Fraction]) -> "_Way | None":
        """What goes in where each tag is filled by one member, the chosen one or that of which most is held."""
        inputs: dict[str, Fraction] = {}
        for name, amount in needs.items():
            item = chosen.get(name) or self._best(name, held)
            count = self.rules.tags[name].get(item, Fraction(1)) if name.startswith("#") else Fraction(1)
            inputs[item] = inputs.get(item, Fraction(0)) + amount_of(amount) * count
        most = min(held.get(item, Fraction(0)) // amount for item, amount in inputs.items())
        return _Way(inputs=write_amounts(inputs), most=int(most)) if most >= 1 else None

    def _best(self, name: str, held: Mapping[str, Fraction]) -> str:
        if not name.startswith("#"):
            return name
        members = self.rules.tags[name]
        return min(held.keys() & members.keys(), key=lambda item: (-held[item] / members[item], item), default=name)


@attrs.frozen(kw_only=True)
class _Way:
    """What goes into a craft for one time, and how many times the hand suffices for."""

    inputs: Mapping[str, Any]
    most: int


_STEPS: Final = (("−", "once less", -1), ("+", "once more", 1), ("all", "as often as you can", 999_999_999))


def _kind(recipe: Any) -> str:
    """How a recipe is done, where that is more than putting things together."""
    kind = recipe["kind"].replace("_", " ")
    return "" if kind.startswith("crafting") else kind


def _said(tag: str) -> str:
    """The name of a tag, which may be a choice of items, for people."""
    return tag.replace("|", " or ")


def _count(number: Any, name: str) -> tuple[str, ...]:
    return () if number == 1 else (f"{number} {name} count as one",)


def _held(name: str, hand: Mapping[str, Fraction]) -> tuple[str, ...]:
    return (f"you hold {write_amount(hand[name])}",) if name in hand else ()
