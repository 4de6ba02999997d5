"""Question games with stories: one, several one after another, several at once, and one nested in another."""

from typing import Final, Literal, get_args

import attrs
from arena.chance import Chance
from arena.errors import ConfigError
from attrs.validators import ge, in_, le

from arena_game_two_by_two.casting import STORIES, castings, tell
from arena_game_two_by_two.classic import describe, in_topology
from arena_game_two_by_two.examination import TASK, Question
from arena_game_two_by_two.matrix import Choices
from arena_game_two_by_two.nested import Nested, Restriction, restrictions
from arena_game_two_by_two.questions import EquilibriumQuestions
from arena_game_two_by_two.situations import SHIPPED, is_folder, library
from arena_game_two_by_two.story import Story, combination
from arena_game_two_by_two.storyteller import Ranks
from arena_game_two_by_two.topology import GAMES, OrdinalGame
from arena_game_two_by_two.verifier import verify

SOLVABLE: Final = tuple(name for name, game in GAMES.items() if len(game.matrix.equilibria) == 1)

NESTED: Final = """\
<Pre-game>
{pre}
</Pre-game>
<Core game>
{core}
</Core game>
A and B are the same two players in both games, whatever they are called there: first they play the pre-game, then \
the core game. Each of them wants the best for itself first in the core game, then in the pre-game. There is one \
restriction: if the pre-game ends in {situation}, {player} may not choose {choice} in the core game. What is or are \
the most possible choice combination or combinations of the pre-game ultimately? If all choice combinations are \
equally possible, the answer holds none."""


def _is_library(made: "StoryQuestions", _: object, name: str) -> None:
    library(name)


@attrs.frozen
class StoryQuestions(EquilibriumQuestions):
    """Questions that stories ask; a model is shown the scenario alone, or all sections as the paper prints them."""

    shows: Literal["scenario", "all"] = attrs.field(
        default="scenario",
        kw_only=True,
        metadata={"help": "the scenario alone, or all five sections of a story"},
    )
    situations: str = attrs.field(
        default=SHIPPED,
        kw_only=True,
        validator=_is_library,
        metadata={
            "help": "what stories are told from: 'shipped', a library's name, or a folder of your own",
            "names_file": lambda given: is_folder(given["situations"]),
            "file_use": "sent",
        },
    )

    ranks: Ranks = attrs.field(
        default="numbers",
        kw_only=True,
        validator=in_(get_args(Ranks)),
        metadata={"help": "a figure after each outcome, or each party's order in words"},
    )

    @property
    def shows_all(self) -> bool:
        """Whether all sections of a story are shown."""
        return self.shows == "all"

    def told(self, story: Story) -> str:
        """What is shown of a story."""
        return story.text if self.shows_all else story.scenario

    def form_of(self, form: str) -> str:
        """What a form of questions is called; to show all, other situations and orders in words are other forms."""
        told = form if self.situations == SHIPPED else f"{form}-situations"
        told = f"{told}-words" if self.ranks == "words" else told
        return f"{told}-all" if self.shows_all else told

    def composed(self, game: str, number: int, seed: int) -> Story:
        """The story of this number of a game, told from its situation."""
        return tell(game, number, seed, self.situations, self.ranks)

    def asked(self, form: str, game: str, story: int, seed: int) -> Question:
        """The question about a game's story with this number and seed."""
        return self.question(form, game, story, self.told(self.composed(game, story, seed)))

    def question(self, form: str, game: str, story: int, text: str) -> Question:
        """The question about a story in these words."""
        right, notes = GAMES[game].matrix.equilibria, {"story": story}
        return Question(f"{text}\n\n{TASK}", right, game, self.form_of(form), notes=notes)


@attrs.frozen
class TwoByTwoStory(StoryQuestions):
    """Name the equilibria of one of the 144 games from a story: a composed one, or the given ``text``."""

    game: str = attrs.field(default="111", validator=in_topology, metadata={"help": "layer, row and column, as '111'"})
    story: int = attrs.field(default=0, validator=[ge(0), le(STORIES - 1)], metadata={"help": "which of its stories"})
    seed: int = attrs.field(default=0, metadata={"help": "another seed tells 720 other stories"})
    text: str = attrs.field(default="", metadata={"help": "another story, which must tell the same game"})

    def __attrs_post_init__(self) -> None:
        if self.text and (faults := verify(self.text, GAMES[self.game].matrix)):
            raise ConfigError([f"text: {fault}" for fault in faults])

    @property
    def topic(self) -> str | None:
        """The topic of a composed story; a given ``text`` has none."""
        if self.text:
            return None
        return castings(self.seed, self.situations)[self.game, self.story].situation.topic

    @property
    def words(self) -> int:
        """The number of words of the scenario."""
        story = Story.parse(self.text) if self.text else self.composed(self.game, self.story, self.seed)
        return story.words

    def count(self) -> int:
        """How many questions the task has: always one."""
        return 1

    def questions(self, chance: Chance) -> tuple[Question, ...]:
        """The question that the story asks, which needs no chance."""
        if not self.text:
            return (self.asked("story", self.game, self.story, self.seed),)
        text = self.text.strip() if self.shows_all else Story.parse(self.text).scenario
        return (self.question("story", self.game, self.story, text),)


@attrs.frozen
class TwoByTwoSequence(StoryQuestions):
    """Several stories drawn by chance and asked one after another; all have to be answered rightly."""

    is_drawn = True

    stories: int = attrs.field(default=3, validator=[ge(1), le(144)], metadata={"help": "how many stories"})
    seed: int = attrs.field(default=0, metadata={"help": "another seed tells 720 other stories"})

    def count(self) -> int:
        """The number of stories."""
        return self.stories

    def questions(self, chance: Chance) -> tuple[Question, ...]:
        """Draw stories of different games."""
        form = "parallel" if self.is_together else "sequential"
        games = chance.shuffle("games", list(GAMES))[: self.stories]
        return tuple(self.asked(form, game, chance.index("story", STORIES), self.seed) for game in games)


@attrs.frozen
class TwoByTwoParallel(TwoByTwoSequence):
    """Several stories drawn by chance and asked all at once; all have to be answered rightly."""

    is_together = True


@attrs.frozen
class TwoByTwoNested(StoryQuestions):
    """Name the stable combinations of a pre-game whose ending restricts a core game.

    Both games and the restriction are drawn by chance from all that change the pre-game's equilibria (TMGBench,
    appendix F.2).
    """

    is_drawn = True

    form: str = attrs.field(
        default="story", validator=in_(("story", "table")), metadata={"help": "how the games are told: story, table"}
    )
    seed: int = attrs.field(default=0, metadata={"help": "another seed tells 720 other stories"})

    def count(self) -> int:
        """How many questions the task has: always one."""
        return 1

    def questions(self, chance: Chance) -> tuple[Question, ...]:
        """Draw two games and a restriction."""
        nested = draw_nested(chance)
        text = NESTED.format(
            pre=self._told("pre-game", nested.pre, chance),
            core=self._told("core game", nested.core, chance),
            situation=combination(nested.restriction.situation),
            player=nested.restriction.player,
            choice=f"{nested.restriction.player}{nested.restriction.choice}",
        )
        form = "nested-table" if self.form == "table" else self.form_of("nested-story")
        notes = {"core": nested.core.id, "restriction": list(attrs.astuple(nested.restriction))}
        return (Question(text, nested.answer, nested.pre.id, form, notes=notes),)

    def _told(self, name: str, game: OrdinalGame, chance: Chance) -> str:
        if self.form == "table":
            return describe(game.matrix)
        return self.told(self.composed(game.id, chance.index(f"story of the {name}", STORIES), self.seed))


def draw_nested(chance: Chance) -> "Drawn":
    """Draw two games and a restriction that changes the first one's equilibria; all such pairs are equally likely."""
    while True:
        pre = GAMES[chance.choice("pre-game", list(GAMES))]
        core = GAMES[chance.choice("core game", SOLVABLE)]
        telling = [r for r in restrictions() if Nested(pre.matrix, core.matrix, r).is_telling]
        if telling:
            restriction = chance.choice("restriction", telling)
            return Drawn(pre, core, restriction, Nested(pre.matrix, core.matrix, restriction).answer)


@attrs.frozen
class Drawn:
    """The games, the restriction and the right answer of a nested question."""

    pre: OrdinalGame
    core: OrdinalGame
    restriction: Restriction
    answer: Choices
