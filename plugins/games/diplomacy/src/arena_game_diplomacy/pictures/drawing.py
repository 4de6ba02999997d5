"""Draws a position of Diplomacy, with orders as arrows: as SVG, and as PNG for readers that take none."""

from collections.abc import Iterator, Mapping, Sequence

from arena_game_diplomacy.pictures.arrows import Arrows
from arena_game_diplomacy.pictures.drawn_orders import Ordered, drawn_phases
from arena_game_diplomacy.pictures.legend import key, legend, phase_name
from arena_game_diplomacy.pictures.outlines import standard_outlines
from arena_game_diplomacy.pictures.shapes import Drawing, Label, Polygon, Shape, Stroke
from arena_game_diplomacy.pictures.svg import svg
from arena_game_diplomacy.pictures.symbols import COLOURS, FAILED, INK, LAND, SEA, beside, centre, ring, tint, unit
from arena_game_diplomacy.rules.position import Position

_BORDER, _BETWEEN_SEAS, _NOBODY, _SEA_NAME = "#8d8573", "#b7c6d1", "#cbc6bc", "#47606f"


def draw(position: Position, orders: Ordered = (), influence: Mapping[str, Sequence[str]] | None = None) -> str:
    """The board as SVG, from nothing but what is given; the same values give the same text.

    ``orders`` are drawn as arrows: texts by power, as they are, or a ``Result`` with what became of each, for the phase
    of ``position`` or for the one before it, whose units have moved by then. Several results are those of the phases
    that led to ``position``. ``influence`` are provinces by the power that was last there, which are tinted a little;
    land whose centre a power owns is tinted more.
    """
    return svg(board_drawing(position, orders, influence))


def draw_png(position: Position, orders: Ordered = (), influence: Mapping[str, Sequence[str]] | None = None) -> bytes:
    """The board as PNG, as ``draw`` shows it."""
    from arena_game_diplomacy.pictures.raster import png  # Pillow is imported only where a PNG is wanted

    return png(board_drawing(position, orders, influence))


def board_drawing(
    position: Position, orders: Ordered = (), influence: Mapping[str, Sequence[str]] | None = None
) -> Drawing:
    """The board as shapes, the lowest first."""
    outlines = standard_outlines()
    phases = drawn_phases(position, orders)
    arrows = [Arrows(position.board, outlines, phase) for phase in phases]
    before = [phase_name(phase.name) for phase in phases if phase.have_moved]
    shapes = (
        *_ground(position, influence or {}),
        *_centres(position),
        *(shape for each in arrows for shape in each.below),
        *_names(position),
        *_units(position),
        *(shape for each in arrows for shape in each.above),
        *legend(position, before),
        *(key(outlines.width) if phases else ()),
    )
    return Drawing(outlines.width, outlines.height, described(position, before), shapes)


def described(position: Position, before: Sequence[str] = ()) -> str:
    """The position in words, for readers who cannot see it; ``before`` names the phases that led to it."""
    led = f", after {'; '.join(before)}" if before else ""
    told = [f"{phase_name(position.phase)}{led}."]
    for power in COLOURS:
        centres = position.centres and position.centres[power]
        owned = "" if centres is None else f" owns {', '.join(centres) or 'no centre'};"
        lost = "".join(f" {name} is dislodged." for name in position.dislodged.get(power, ()))
        told.append(f"{power}{owned} has {', '.join(position.units[power]) or 'no unit'}.{lost}")
    return " ".join(told)


def _ground(position: Position, influence: Mapping[str, Sequence[str]]) -> Iterator[Shape]:
    outlines, provinces = standard_outlines(), position.board.provinces
    shares = {name: tint(power, 0.2) for power, names in influence.items() for name in names}
    shares |= {name: tint(power, 0.45) for power, names in (position.centres or {}).items() for name in names}
    yield Polygon(_rectangle(outlines.width, outlines.height), SEA)
    for name, outline in outlines.provinces.items():
        if provinces[name].kind == "sea":
            yield Stroke((*outline.ring, outline.ring[0]), _BETWEEN_SEAS, 1.2)
    for name, outline in outlines.provinces.items():
        if provinces[name].kind != "sea":
            yield Polygon(outline.ring, shares.get(name, LAND), _BORDER, 1.4)
    yield from (Polygon(ring, _NOBODY, _BORDER) for ring in outlines.impassable)
    yield from (Polygon(ring, SEA, _BORDER) for ring in outlines.lakes)


def _rectangle(width: float, height: float) -> tuple[tuple[float, float], ...]:
    return (0, 0), (width, 0), (width, height), (0, height)


def _centres(position: Position) -> Iterator[Shape]:
    owners = {name: power for power, names in (position.centres or {}).items() for name in names}
    for name, outline in standard_outlines().provinces.items():
        if outline.centre is not None:
            yield from centre(owners.get(name), outline.centre)


def _names(position: Position) -> Iterator[Shape]:
    for name, outline in standard_outlines().provinces.items():
        is_sea = position.board.provinces[name].kind == "sea"
        yield Label(outline.label, name, 12, _SEA_NAME if is_sea else INK, is_bold=not is_sea)


def _units(position: Position) -> Iterator[Shape]:
    outlines = standard_outlines()
    for power, names in position.units.items():
        for name in names:
            yield from unit(name, power, outlines.unit_at(name[2:]))
    for power in COLOURS:
        for name in position.dislodged.get(power, ()):
            at = beside(outlines.unit_at(name[2:]))
            yield from unit(name, power, at)
            yield from ring(at, FAILED)
