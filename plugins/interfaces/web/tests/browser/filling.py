"""Somebody who sits at the page of a seat and has a pointer alone, or keys alone."""

import json
from collections.abc import Mapping
from random import Random
from typing import Any

import attrs
from jsonschema import Draft202012Validator

ON = ".scene .is-offered:not([aria-label$='take back'])"
TOUCHES = "(on) => document.activeElement.closest(on) !== null"
FOCUS = "(found) => found.includes(document.activeElement)"
MOST_STOPS = 400
"""So often Tab is pressed before something counts as out of reach."""


def quoted(text: str) -> str:
    """A text as a string in a selector."""
    return json.dumps(text, ensure_ascii=False)


def is_amount(schema: Mapping[str, Any]) -> bool:
    """Whether a value is typed as a number, a fraction among them."""
    kinds = [own.get("type") for own in schema.get("anyOf", [schema])]
    return any(kind in ("integer", "number") for kind in kinds) and set(kinds) <= {"integer", "number", "string"}


@attrs.frozen
class Hand:
    """One who sits at a page, and what was sent since something was chosen last."""

    page: Any
    sent: list[str] = attrs.field(factory=list)

    def __attrs_post_init__(self) -> None:
        self.page.on("request", lambda asked: self.sent.append(asked.url) if "/try/" in asked.url else None)

    def _is_sent(self) -> bool:
        """Whether an answer is on its way; by the time that the page shows the next turn, it is known here."""
        self.page.locator(".ask").count()
        return bool(self.sent)


class Pointer(Hand):
    """Presses what can be seen."""

    def press(self, selector: str) -> None:
        """Press a button, a box or an element of the picture."""
        self.page.locator(selector).first.click()

    def follow(self, selector: str) -> None:
        """Follow a link."""
        self.press(selector)

    def write(self, selector: str, text: str) -> None:
        """Put a text in place of what stands in a field; words cannot be pointed at."""
        self.page.locator(selector).first.fill(text)

    def select(self, selector: str, value: str) -> None:
        """Choose one of a list."""
        self.page.locator(selector).first.select_option(value=value)

    def check(self, group: str, place: int) -> None:
        """Choose one of a few."""
        self.press(f"input[data-key={quoted(f'{group}={place}')}]")

    def choose(self, rng: Random, label: str) -> None:
        """Touch what is offered, one after another, until an option is chosen; ``label`` is one of them."""
        self.sent.clear()
        beside = '[aria-label="beside the picture"] button, [aria-label="moves"] button'
        found = self.page.locator(f".scene .is-offered, {beside}")
        found.nth(rng.randrange(found.count())).click()
        menu = self.page.locator('[aria-label="what exactly?"] button')
        while menu.count() and not self._is_sent():
            done = menu.filter(has_not_text="Take back")
            on = self.page.locator(ON)
            (done if done.count() else on).first.click()


class Keys(Hand):
    """Presses keys, and nothing else."""

    def _reach(self, selector: str) -> None:
        for _ in range(MOST_STOPS):
            if self.page.locator(selector).evaluate_all(FOCUS):
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"no key leads to {selector}")

    def press(self, selector: str) -> None:
        """Press a button or a box."""
        self._reach(selector)
        self.page.keyboard.press("Space")

    def follow(self, selector: str) -> None:
        """Follow a link."""
        self._reach(selector)
        self.page.keyboard.press("Enter")

    def write(self, selector: str, text: str) -> None:
        """Put a text in place of what stands in a field."""
        self._reach(selector)
        self.page.keyboard.press("Control+A")
        self.page.keyboard.press("Delete")
        self.page.keyboard.insert_text(text)

    def select(self, selector: str, value: str) -> None:
        """Choose one of a list."""
        self._reach(selector)
        self.page.keyboard.press("Home")
        for _ in range(MOST_STOPS):
            if self.page.locator(selector).first.input_value() == value:
                return
            self.page.keyboard.press("ArrowDown")
        raise AssertionError(f"{value} is not to be had in {selector}")

    def check(self, group: str, place: int) -> None:
        """Choose one of a few: the group is one stop, the arrows go on in it."""
        wanted = f"input[data-key={quoted(f'{group}={place}')}]"
        self._reach(f"input[data-key^={quoted(f'{group}=')}]")
        self.page.keyboard.press("Space")
        for _ in range(MOST_STOPS):
            if self.page.locator(wanted).is_checked():
                return
            self.page.keyboard.press("ArrowDown")
        raise AssertionError(f"the arrows do not lead to {wanted}")

    def choose(self, rng: Random, label: str) -> None:
        """Walk to something that is offered in the picture and touch it, or type the name of an option."""
        self.sent.clear()
        if not self.page.locator(".scene .is-offered").count() or rng.random() < 0.5:
            self.write(".touches-field", label)
            self.page.keyboard.press("Enter")
            return
        while not self._is_sent():
            if self.page.locator('[aria-label="what exactly?"] button').filter(has_not_text="Take back").count():
                self.press('[aria-label="what exactly?"] button:not(:has-text("Take back"))')
                return
            self._reach_picture()
            self.page.keyboard.press("Enter")

    def _reach_picture(self) -> None:
        """Stand on something that can be touched and was not touched before."""
        self._reach(".scene [data-stop]")
        walk = Random(1)
        for _ in range(MOST_STOPS):
            if self.page.evaluate(TOUCHES, ON):
                return
            self.page.keyboard.press(walk.choice(["ArrowRight", "ArrowDown", "ArrowLeft", "ArrowUp"]))
        raise AssertionError("the arrows lead to nothing that is offered")


def enter(hand: Pointer | Keys, schema: Mapping[str, Any], value: Any, pointer: str = "") -> None:
    """Put a value into the form of a schema, control by control, as one who reads it from a paper would."""
    at = f"#{pointer}"
    if "const" in schema:
        return
    if "anyOf" in schema and not is_amount(schema):
        place = next(n for n, own in enumerate(schema["anyOf"]) if Draft202012Validator(own).is_valid(value))
        hand.press(f"[data-tab={quoted(f'{at}#{place}')}]")
        enter(hand, schema["anyOf"][place], value, pointer)
    elif "enum" in schema and len(schema["enum"]) > 5:
        hand.select(f"select[data-key={quoted(at)}]", json.dumps(value, separators=(",", ":"), ensure_ascii=False))
    elif "enum" in schema:
        hand.check(at, schema["enum"].index(value))
    elif schema.get("type") == "boolean":
        hand.check(at, 0 if value else 1)
    elif is_amount(schema) or schema.get("type") == "string":
        hand.write(f"[data-key={quoted(at)}]", str(value))
    elif schema.get("type") == "array" and "enum" in schema.get("items", {}):
        for item in value:
            place = schema["items"]["enum"].index(item)
            hand.press(f"input[data-key={quoted(f'{at}={place}')}]")
    elif schema.get("type") == "array":
        for place, item in enumerate(value):
            row = f"{pointer}/{place}"
            if not hand.page.locator(
                f"[data-pointer={quoted(f'#{row}')}], [data-pointer^={quoted(f'#{row}/')}]"
            ).count():
                hand.press(f"[data-add={quoted(at)}]")
            enter(hand, schema["items"], item, row)
    elif schema.get("type") == "object":
        for name, item in value.items():
            inner = f"{pointer}/{name.replace('~', '~0').replace('/', '~1')}"
            if name not in schema.get("properties", {}):
                hand.write(f"[data-name={quoted(at)}]", name)
                hand.press(f"button[data-add={quoted(at)}]")
            enter(hand, schema.get("properties", {}).get(name, schema.get("additionalProperties")), item, inner)
    else:
        hand.write(f"textarea[data-key={quoted(at)}]", json.dumps(value))
