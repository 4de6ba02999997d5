"""Two hands, one shaker and some shots: cocktails of two ingredients are mixed, and each is served in a shot."""

from random import Random

import attrs

from arena_game_planning.generators.draft import Draft, Generator, names, spread, step


@attrs.frozen
class BarmanSize:
    """How many ingredients, cocktails that can be mixed, and drinks that are wanted; there is one shot more."""

    ingredients: int
    cocktails: int
    drinks: int


def draw(chance: Random, size: BarmanSize) -> Draft:
    """Recipes and orders at random; some orders are for a plain ingredient."""
    if size.ingredients < 2 or min(size.cocktails, size.drinks) < 1:
        raise ValueError("expected two ingredients, a cocktail and a drink at least")
    ingredients, cocktails = names("ingredient", size.ingredients), names("cocktail", size.cocktails)
    recipes = {cocktail: tuple(chance.sample(ingredients, 2)) for cocktail in cocktails}
    shots = names("shot", size.drinks + 1)
    mixed = [cocktails[number % size.cocktails] for number in range(size.drinks)]
    drinks = [chance.choice(ingredients) if chance.random() < 0.15 else drink for drink in mixed]
    if not set(drinks) & set(cocktails):
        drinks[0] = mixed[0]
    init = [fact for shot in shots for fact in (step("on-bar", shot), step("clean", shot), step("empty", shot))]
    init += [step(word, "shaker") for word in ("on-bar", "clean", "empty", "mixing")]
    init += [step("shaker-level", "shaker", "level0"), step("empty-level", "shaker", "level0")]
    init += [step("above", "level0", "level1"), step("above", "level1", "level2")]
    init += [
        step("free", "left"),
        step("free", "right"),
        step("other", "left", "right"),
        step("other", "right", "left"),
    ]
    init += [step("pours", f"tap{number}", ingredient) for number, ingredient in enumerate(ingredients, 1)]
    for cocktail, (one, two) in recipes.items():
        init += [step("first-part", cocktail, one), step("second-part", cocktail, two)]
    goal = tuple(step("contains", shot, drink) for shot, drink in zip(shots, drinks, strict=False))
    objects = (
        ("hand", ("left", "right")),
        ("level", ("level0", "level1", "level2")),
        ("ingredient", ingredients),
        ("cocktail", cocktails),
        ("dispenser", names("tap", size.ingredients)),
        ("shot", shots),
        ("shaker", ("shaker",)),
    )
    return Draft(objects, tuple(init), goal, tuple(_plan(ingredients, recipes, shots, drinks)))


def _plan(
    ingredients: tuple[str, ...], recipes: dict[str, tuple[str, ...]], shots: tuple[str, ...], drinks: list[str]
) -> list[str]:
    """Cocktail after cocktail, two servings of one mix, with the last shot for measuring; plain drinks at the end."""
    tap = {ingredient: f"tap{number}" for number, ingredient in enumerate(ingredients, 1)}
    wanted: dict[str, list[str]] = {}
    for shot, drink in zip(shots, drinks, strict=False):
        wanted.setdefault(drink, []).append(shot)
    mixes = [
        (c, servings[n : n + 2]) for c, servings in wanted.items() if c in recipes for n in range(0, len(servings), 2)
    ]
    plan: list[str] = []
    measure, stain = shots[-1], ""
    for number, (cocktail, servings) in enumerate(mixes):
        plan.append(step("grasp", "left", measure))
        parts = recipes[cocktail]
        for level, part in enumerate(parts if stain != parts[1] else parts[::-1]):
            if stain and stain != part:
                plan.append(step("wash-shot", measure, stain, "left", "right"))
            verb = "refill" if stain == part else "fill"
            plan.append(step(verb, measure, part, "left", "right", tap[part]))
            levels = (f"level{level}", f"level{level + 1}")
            plan.append(step("pour-into-shaker", measure, part, "shaker", "left", *levels))
            stain = part
        plan += [step("put-down", "left", measure), step("grasp", "left", "shaker")]
        plan.append(step("shake", cocktail, *parts, "shaker", "left", "right"))
        for level, shot in zip((2, 1), servings, strict=False):
            plan.append(step("pour-into-shot", cocktail, shot, "left", "shaker", f"level{level}", f"level{level - 1}"))
        if number + 1 < len(mixes):
            now = f"level{2 - len(servings)}"
            plan.append(step("empty-shaker", "left", "shaker", cocktail, now, "level0"))
            plan.append(step("wash-shaker", "left", "right", "shaker"))
        plan.append(step("put-down", "left", "shaker"))
    for shot, drink in zip(shots, drinks, strict=False):
        if drink not in recipes:
            plan += [step("grasp", "left", shot), step("fill", shot, drink, "left", "right", tap[drink])]
            plan.append(step("put-down", "left", shot))
    return plan[:-1]


GENERATOR = Generator(
    "barman",
    ("sequential",),
    tuple(
        BarmanSize(ingredients, cocktails, drinks)
        for ingredients, cocktails, drinks in zip(
            spread(100, 2, 6), spread(100, 3, 10), spread(100, 3, 12), strict=True
        )
    ),
    draw,
)
