"""Parts that make wholes in a given order, some only for the time being, with resources that must be committed."""

from random import Random

import attrs

from arena_game_planning.generators.draft import Draft, Generator, names, step


@attrs.frozen
class AssemblySize:
    """How deep wholes are nested, how many parts each has at most; how many resources, transients and spare items."""

    depth: int
    parts: int
    resources: int
    transients: int
    spare: int


@attrs.define
class _Whole:
    name: str
    parts: list[str]
    inner: list["_Whole"]
    resources: list[str]
    supports: dict[str, list[str]]


def draw(chance: Random, size: AssemblySize) -> Draft:
    """A tree of wholes; parts go in a fixed order here and there, transient ones support some of them."""
    if size.depth < 1 or size.parts < 2 or min(size.resources, size.transients) < 0:
        raise ValueError("expected a depth of 1 and two parts at least")
    resources, transients = names("resource", size.resources), names("support", size.transients)
    items: list[str] = []
    wholes: list[_Whole] = []

    def grow(depth: int) -> _Whole:
        whole = _Whole(
            f"item{len(items)}",
            [],
            [],
            sorted(chance.sample(resources, chance.randint(1, len(resources)))) if resources else [],
            {},
        )
        items.append(whole.name)
        wholes.append(whole)
        count = chance.randint(2, size.parts)
        nested = 1 + chance.randrange(2) if depth > 1 else 0
        for place in range(count):
            if place < nested:
                inner = grow(depth - 1)
                whole.inner.append(inner)
                whole.parts.append(inner.name)
            else:
                whole.parts.append(f"item{len(items)}")
                items.append(whole.parts[-1])
        chance.shuffle(whole.parts)
        return whole

    root = grow(size.depth)
    for transient in transients:
        whole = chance.choice(wholes)
        whole.supports[transient] = sorted(chance.sample(whole.parts, chance.randint(1, 2)), key=whole.parts.index)
    made = {whole.name for whole in wholes}
    init = [step("available", item) for item in items if item not in made]
    init += [step("available", transient) for transient in transients]
    init += [step("free", resource) for resource in resources]
    for whole in wholes:
        init += [step("needs", whole.name, resource) for resource in whole.resources]
        init += [step("part-of", part, whole.name) for part in whole.parts]
        for first, second in zip(whole.parts, whole.parts[1:], strict=False):
            if chance.random() < 0.6:
                init.append(step("goes-before", first, second, whole.name))
        for transient, held in whole.supports.items():
            init.append(step("transient-part", transient, whole.name))
            init += [step("supports", transient, part, whole.name) for part in held]
    plan: list[str] = []
    _build(root, {}, plan)
    spare = names("item", size.spare, len(items))
    init += [step("available", item) for item in spare]
    objects = (("item", (*items, *spare, *transients)), ("resource", resources))
    return Draft(objects, tuple(init), (step("complete", root.name),), tuple(plan))


def _build(whole: _Whole, holders: dict[str, str], plan: list[str]) -> None:
    """What is nested first; then resources, then part after part, each support in just before and out at once after."""
    for inner in whole.inner:
        _build(inner, holders, plan)
    for resource in whole.resources:
        if holder := holders.get(resource):
            plan.append(step("release", resource, holder))
        plan.append(step("commit", resource, whole.name))
        holders[resource] = whole.name
    inside: list[str] = []
    for place, part in enumerate(whole.parts):
        for transient, held in whole.supports.items():
            if part in held and transient not in inside:
                plan.append(step("assemble", transient, whole.name))
                inside.append(transient)
        plan.append(step("assemble", part, whole.name))
        for transient in list(inside):
            if not set(whole.supports[transient]) & set(whole.parts[place + 1 :]):
                plan.append(step("remove", transient, whole.name))
                inside.remove(transient)


def _sizes() -> tuple[AssemblySize, ...]:
    """Most wholes are flat, as in the published set; the last third is nested."""
    flat = [AssemblySize(1, 3 + number // 80, 1 + number % 2, number // 80, number // 8) for number in range(100)]
    nested = [
        AssemblySize(2 + number // 21, 3 + number % 21 // 7, 1 + number % 4, number % 5, 6) for number in range(42)
    ]
    return (*flat, *nested)


GENERATOR = Generator("assembly", ("sequential",), _sizes(), draw)
