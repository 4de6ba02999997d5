"""Writing stories as a game of one player: draft, verification, correction, a fresh draft, and rejection.

TMGBench's stories were made in this way (appendix D.1), except that here the verifier is the first reader: its findings
are shown to the writer, who corrects the draft a few times and then starts anew. As a game it can be played by
any agent, journaled, resumed, and bounded by a budget.
"""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Final

import attrs
from arena.chance import Chance
from arena.errors import RuleError
from arena.game import Decision, Forfeited, Form, Game, GameFacts, Illegal, State
from arena.record import EVERYONE, JSON, Action, GameEvent, Player, quoted
from attrs.validators import ge, le

from arena_game_two_by_two.casting import STORIES, tell
from arena_game_two_by_two.classic import in_topology, table
from arena_game_two_by_two.matrix import Matrix
from arena_game_two_by_two.scene import told_scene
from arena_game_two_by_two.situations import SHIPPED, library
from arena_game_two_by_two.topology import GAMES
from arena_game_two_by_two.verifier import LONGEST, SHORTEST, verify

WRITER: Final = Player(0)

LONGEST_TEXT: Final = 20_000
"""The most characters of a draft."""

RULES: Final = f"""\
You write a short story about two people, A and B, who have to choose at the same time between two choices each. The \
story must tell a given game: a table that says how much either person prefers each of the four situations, from 4 \
(most) to 1 (least). A topic is given too; people, choices and reasons are for you to invent. The story has five \
sections, each between its own marks:

[Characters]
{{"A": "name, who that is", "B": "name, who that is"}}
[/Characters]
[Choices]
{{"A1": "...", "A2": "...", "B1": "...", "B2": "..."}}
[/Choices]
[Preferences]
{{"A": {{4: "what A does while B does what (what that leads to)", 3: "...", 2: "...", 1: "..."}}, \
"B": {{4: "...", 3: "...", 2: "...", 1: "..."}}}}
[/Preferences]
[Payoff Matrix]
the table as it was given
[/Payoff Matrix]
[Scenario]
{SHORTEST} to {LONGEST} words of story. Name each of the four situations once by its code, as in (A1, B2), and say \
after it what it is worth to each person by name, as in: Ada would be delighted (4), while Ben would lose a little (2).
[/Scenario]

Every draft is read by a verifier, which recovers the game from the preferences, the table and the scenario. Where \
they differ from the table that was given, you are told and may correct the draft; after a few corrections you start \
anew."""


@attrs.frozen
class TwoByTwoWriting(Game):
    """Write a story that tells one of the 144 games, until a verifier reads exactly this game from it."""

    game: str = attrs.field(default="111", validator=in_topology, metadata={"help": "layer, row and column, as '111'"})
    topic: str = attrs.field(
        default="", metadata={"help": "what the story is about; drawn by the shares of the paper where none is given"}
    )
    corrections: int = attrs.field(
        default=2, validator=[ge(0), le(20)], metadata={"help": "how often a draft may be corrected"}
    )
    drafts: int = attrs.field(default=3, validator=[ge(1), le(20)], metadata={"help": "how often to start anew in all"})

    @property
    def rules(self) -> str:
        """The task and the format of a story."""
        return RULES

    def player_counts(self) -> Sequence[int]:
        """Always one, the writer."""
        return (1,)

    def seats(self, players: int) -> Sequence[str]:
        """The only seat is the writer."""
        return ("writer",)

    def facts(self, players: int) -> GameFacts:
        """The return is 1 for a story that is accepted, 0 for none."""
        return GameFacts(
            chance=self.draws_topic,
            returns="general-sum",
            min_return=0.0,
            max_return=1.0,
            optimal_returns=(1.0,),
            optimal_source="a story composed from a situation",
            max_steps=self.drafts * (self.corrections + 1),
            forfeit_return=0.0,
            others_return=0.0,
            return_unit="accepted stories",
        )

    @property
    def forms(self) -> Mapping[str, Form]:
        return {"text": _text, "scene": lambda seen: told_scene("A story to be written", _text(seen))}

    def start(self, chance: Chance, players: int) -> tuple[State, Sequence[GameEvent]]:
        """Show the topic and the table."""
        matrix = GAMES[self.game].matrix
        drawn = _drawn(chance) if self.draws_topic else self.topic
        asked = GameEvent("asked", {"topic": drawn, "table": table(matrix), "game": self.game}, EVERYONE)
        return DraftState(self, matrix, drawn), [asked]

    @property
    def draws_topic(self) -> bool:
        """Whether each match has a topic of its own."""
        return not self.topic

    def describe_event(self, event: GameEvent, player: Player | None) -> str:
        data: Any = event.data
        if event.kind == "asked":
            return f"topic: {data['topic']}\n{data['table']}"
        if event.kind == "written":
            return f"draft {data['draft']}, version {data['version']}: {quoted(data['text'])}"
        if event.kind == "verified":
            return "the verifier found: " + ("nothing wrong" if not data["faults"] else "; ".join(data["faults"]))
        return super().describe_event(event, player)


@attrs.define(eq=False)
class DraftState(State):
    """The current draft, and the faults that were found in it."""

    game: TwoByTwoWriting
    matrix: Matrix
    topic: str
    draft: int = 1
    version: int = 1
    text: str = ""
    faults: tuple[str, ...] = ()
    is_over: bool = False

    def to_act(self) -> Sequence[Player]:
        """The writer, until a story is accepted or all drafts are rejected."""
        return () if self.is_over else (WRITER,)

    def decision(self, player: Player) -> Decision:
        """A whole story, as one text."""
        schema: JSON = {"type": "string", "minLength": 1, "maxLength": LONGEST_TEXT}
        phase = "draft" if self.version == 1 else "correct"
        return Decision(player=player, phase=phase, action_schema=schema, sampler=self._sample)

    def observe(self, player: Player | None) -> JSON:
        """The task, the draft to be corrected and its faults."""
        is_correction = self.version > 1
        return {
            "topic": self.topic,
            "table": table(self.matrix),
            "draft": self.draft,
            "version": self.version,
            "text": self.text if is_correction else None,
            "faults": list(self.faults) if is_correction else [],
        }

    def check(self, player: Player, action: Action) -> Illegal | None:
        """Refuse only what is no text or too long; faults of a story are found by the verifier."""
        if isinstance(action, str) and 0 < len(action) <= LONGEST_TEXT:
            return None
        return Illegal("not-a-text", f"expected a story as one text of 1 to {LONGEST_TEXT} characters")

    def apply(self, actions: Mapping[Player, Action | Forfeited]) -> Sequence[GameEvent]:
        """Verify the draft; then accept it, ask for a correction, ask for a new draft, or reject."""
        text = actions[WRITER]
        if not isinstance(text, str):
            raise RuleError(f"two-by-two-writing: a story is a text, not {text!r}")
        faults = tuple(verify(text, self.matrix))
        events = [
            GameEvent("written", {"draft": self.draft, "version": self.version, "text": text}, EVERYONE),
            GameEvent("verified", {"faults": list(faults)}, EVERYONE),
        ]
        self.text, self.faults = text, faults
        if not faults:
            self.is_over = True
            events.append(GameEvent("accepted", {"game": self.game.game, "text": text}, EVERYONE))
        elif self.version <= self.game.corrections:
            self.version += 1
        elif self.draft < self.game.drafts:
            self.draft, self.version = self.draft + 1, 1
        else:
            self.is_over = True
            events.append(GameEvent("rejected", {"game": self.game.game, "faults": list(faults)}, EVERYONE))
        return events

    def returns(self) -> Sequence[float] | None:
        """1 if a story was accepted."""
        return (float(not self.faults),) if self.is_over else None

    def clone(self) -> State:
        return attrs.evolve(self)

    def _sample(self, rng: Random) -> Action:
        """A composed story of a random game, which is the right one in one of 144 cases."""
        return tell(rng.choice(list(GAMES)), rng.randrange(STORIES)).text


def _drawn(chance: Chance) -> str:
    """One of the topics, in proportion to the stories that each has among the paper's 720."""
    known = library(SHIPPED)
    return chance.choice("topic", [topic.name for topic in known], [float(topic.stories) for topic in known])


def _text(observation: Any) -> str:
    lines = [f"Topic: {observation['topic']}", "", "The game to be told:", "", observation["table"]]
    if observation["text"] is not None:
        faults = "\n".join(f"- {fault}" for fault in observation["faults"])
        lines += [
            "",
            "Your draft:",
            "",
            quoted(observation["text"]),
            "",
            "What the verifier found wrong with it:",
            faults,
        ]
    elif observation["draft"] > 1:
        lines += ["", "Your earlier drafts were rejected. Begin a new story."]
    return "\n".join(lines)
