// Draws scenes in a browser: the one renderer for every game, without a library and without markup from anywhere.
// What a scene holds is text and numbers; roles become classes, and scene.css gives them their colours.

import { button, dressed, make, shown, textOf } from "./elements.js";

export const SVG = "http://www.w3.org/2000/svg";
const ROW = Math.sqrt(3) / 2; // how far rows of hexagons lie apart, where a cell is 1 wide

const has = (object, name) => Object.hasOwn(object, name);
export const named = (parts = []) => new Map(parts.map((part, place) => [part.id ?? `part ${place}`, part]));

export function items(value) {
  if (typeof value === "string") return value.includes("\n") ? value.split("\n") : null;
  return Array.isArray(value) ? value : null;
}

/** The scene after an earlier one by their difference; the earlier one stays as it is. */
export function patch(before, change) {
  const after = Object.fromEntries(Object.entries(before).filter(([name]) => !(change.gone ?? []).includes(name)));
  Object.assign(after, change.head);
  for (const [name, own] of Object.entries(change.lists ?? {})) after[name] = edited(after[name], own);
  if (change.parts || change.order) {
    const old = named(before.parts);
    after.parts = (change.order ?? [...old.keys()]).map((name) => {
      const own = change.parts?.[name] ?? {};
      return own.new ?? patch(old.get(name), own);
    });
  }
  return after;
}

function edited(value, change) {
  const dropped = new Set(change.drop);
  const list = items(value).filter((_, place) => !dropped.has(place));
  for (const [place, item] of change.set ?? []) list.splice(place, 0, item);
  return typeof value === "string" ? list.join("\n") : list;
}

function draw(name, attributes = {}, ...children) {
  return dressed(document.createElementNS(SVG, name), attributes, children);
}
const role = (name) => (name ? `role-${name}` : "");
const classes = (...names) => names.filter(Boolean).join(" ");
/** Attributes of what can be found, focused and touched: the ids it goes by, the first its own, and what is read aloud. */
const stop = (ids, label) => ({ "data-stop": "yes", "data-element": ids.filter(Boolean).join(" "), role: "img", tabindex: -1, "aria-label": label });

// Pieces: all shapes lie around 0, in a square that is 1 wide

const BASE = "M-.27 .26H.27V.36H-.27Z";
const PATHS = {
  cross: "M-.3-.2L-.2-.3L0-.1L.2-.3L.3-.2L.1 0L.3 .2L.2 .3L0 .1L-.2 .3L-.3 .2L-.1 0Z",
  square: "M-.32-.32H.32V.32H-.32Z",
  triangle: "M0-.38L.38 .3H-.38Z",
  diamond: "M0-.4L.34 0L0 .4L-.34 0Z",
  hexagon: "M0-.42L.36-.21V.21L0 .42L-.36 .21V-.21Z",
  star: "M0-.42L.1-.13L.4-.13L.16 .05L.25 .34L0 .17L-.25 .34L-.16 .05L-.4-.13L-.1-.13Z",
  pawn: `M0-.3A.13 .13 0 0 1 .08-.07C.11 .06 .14 .14 .2 .22H-.2C-.14 .14-.11 .06-.08-.07A.13 .13 0 0 1 0-.3Z${BASE}`,
  rook: `M-.25-.34H-.14V-.26H-.05V-.34H.05V-.26H.14V-.34H.25V-.15L.16-.08V.12L.21 .22H-.21L-.16 .12V-.08L-.25-.15Z${BASE}`,
  knight: `M-.2 .22C-.2 .06-.04 .02-.02-.11C-.08-.06-.14-.01-.2-.02C-.29-.04-.3-.12-.25-.17L-.12-.3L-.11-.41L-.01-.33C.18-.3 .27-.08 .22 .22Z${BASE}`,
  bishop: `M0-.43A.055 .055 0 0 1 .035-.33C.17-.24 .2-.08 .09 .04C.1 .1 .13 .16 .17 .22H-.17C-.13 .16-.1 .1-.09 .04C-.2-.08-.17-.24-.035-.33A.055 .055 0 0 1 0-.43ZM-.02-.24V-.18H-.07V-.13H-.02V-.04H.02V-.13H.07V-.18H.02V-.24Z${BASE}`,
  queen: `M-.36-.2A.04 .04 0 1 1-.3-.16L-.2 0L-.19-.3A.04 .04 0 1 1-.13-.3L-.07-.02L-.03-.34A.045 .045 0 1 1 .03-.34L.07-.02L.13-.3A.04 .04 0 1 1 .19-.3L.2 0L.3-.16A.04 .04 0 1 1 .36-.2L.22 .22H-.22Z${BASE}`,
  king: `M-.035-.45H.035V-.39H.1V-.32H.035V-.24C.12-.28 .3-.26 .3-.09C.3 .05 .2 .1 .2 .22H-.2C-.2 .1-.3 .05-.3-.09C-.3-.26-.12-.28-.035-.24V-.32H-.1V-.39H-.035Z${BASE}`,
  army: "M-.36 .02L-.1-.2L.32-.34L.36-.26L.06-.08L.14 .08H.3V.14H.16A.18 .18 0 1 1-.2 .14H-.36Z",
  fleet: "M-.04-.4L.3 .02H-.04ZM-.1-.3V.02H-.3ZM-.42 .1H.42L.28 .32H-.28Z",
  centre: "M0-.3A.3 .3 0 1 1-.001-.3ZM0-.16A.16 .16 0 1 0 .001-.16Z",
  chip: "M0-.36A.36 .36 0 1 1-.001-.36ZM0-.22A.22 .22 0 1 0 .001-.22Z",
  block: "M-.44-.4H.44V.4H-.44Z",
  item: "M-.3-.18L0-.34L.3-.18V.2L0 .36L-.3 .2Z",
  person: "M0-.4A.15 .15 0 1 1-.001-.4ZM-.3 .38C-.3 .06-.16-.04 0-.04C.16-.04 .3 .06 .3 .38Z",
  robot: "M-.03-.44H.03V-.34H.26V.08H-.26V-.34H-.03ZM-.15-.22V-.1H-.04V-.22ZM.04-.22V-.1H.15V-.22ZM-.2 .14H.2V.38H-.2Z",
  key: "M-.2-.16A.16 .16 0 1 1-.2 .16A.16 .16 0 1 1-.2-.16ZM-.2-.06A.06 .06 0 1 0-.2 .06A.06 .06 0 1 0-.2-.06ZM-.05-.05H.4V.2H.3V.05H.22V.16H.12V.05H-.05Z",
  door: "M-.26-.42H.26V.42H-.26ZM.1-.03V.07H.18V-.03Z",
};
const ROUND = { disc: 0.38, stone: 0.46, ball: 0.3, coin: 0.34, ring: 0.3 };
const PIPS = ["", "C", "AI", "ACI", "AGDI", "AGCDI", "ABGDHI"].map((word) => [...word]);
// What tells players apart without colours, on shapes that all players have.
const PATTERNS = ["M-.13 0A.13 .13 0 1 1 .13 0A.13 .13 0 1 1-.13 0Z", "M0-.17L.17 0L0 .17L-.17 0Z", "M-.15 0H.15M0-.15V.15", "M-.15-.06H.15M-.15 .08H.15", "M0-.16L.16 .12H-.16Z", "M-.12-.12H.12V.12H-.12Z", "M-.13-.13L.13 .13M-.13 .13L.13-.13", "M-.06-.15V.15M.08-.15V.15", "M-.16 .1L0-.12L.16 .1", "M-.16-.1L0 .12L.16-.1"];
const SIGNS = { X: PATTERNS[6], O: PATTERNS[0] }; // of players who are called so
const PATTERNED = new Set(["disc", "stone", "ball", "square", "hexagon", "block", "chip", "coin"]);

function pip(letter) {
  const place = { A: [-1, -1], B: [0, -1], G: [1, -1], C: [0, 0], D: [-1, 1], H: [0, 1], I: [1, 1] }[letter];
  return draw("circle", { class: "scene-pip", cx: place[0] * 0.19, cy: place[1] * 0.19, r: 0.07 });
}

function shapeOf(piece) {
  const name = String(piece.shape);
  if (name.startsWith("die-"))
    return [draw("rect", { x: -0.36, y: -0.36, width: 0.72, height: 0.72, rx: 0.12 }), ...PIPS[Number(name[4])].map(pip)];
  if (ROUND[name]) return [draw("circle", { r: ROUND[name] })];
  if (has(PATHS, name)) return [draw("path", { d: PATHS[name], "fill-rule": "evenodd" })];
  const text = shown(piece.text || piece.label.slice(0, 1));
  return [draw("text", { class: "scene-letters", "font-size": Math.min(0.6, 1.3 / Math.max(text.length, 1)), dy: "0.36em" }, text)];
}

/** A piece around 0; its pattern and its number stand on it. */
function pieceOf(piece) {
  const player = /^player-(\d)$/.exec(piece.role)?.[1];
  const pattern = player && !piece.tone && PATTERNED.has(piece.shape) ? draw("path", { class: "scene-pattern", d: SIGNS[piece.text] ?? PATTERNS[player] }) : "";
  const many = (piece.count ?? 1) === 1 ? "" : draw("text", { class: "scene-count", x: 0.46, y: 0.46, "font-size": 0.3 }, `×${piece.count}`);
  const names = ["scene-piece", `shape-${piece.shape}`, piece.tone ? `tone-${piece.tone}` : role(piece.role), piece.state && `state-${piece.state}`];
  return draw("g", { class: classes(...names) }, draw("g", { class: "scene-body" }, shapeOf(piece), pattern), many);
}

const look = (piece) => textOf([piece.role, piece.shape, piece.text ?? "", piece.tone ?? ""]);

/** Pieces that stand somewhere; from one scene to the next those with an id move, and of the others the nearest alike. */
class Standing {
  constructor() {
    this.layer = draw("g", { class: "scene-standing" });
    this.drawn = [];
  }
  /** Show pieces at their places, each with x, y and size; returns the places to which one has `come`, and those that one `left`. */
  show(pieces, placeOf, from = null) {
    const before = this.drawn;
    const pairs = paired(before.map((own) => own.piece), pieces);
    const [come, left] = [[], []];
    this.drawn = pieces.map((piece, index) => {
      const [at, old] = [placeOf(piece), before[pairs[index]]];
      const element = old && textOf({ ...old.piece, at: 0, label: 0 }) === textOf({ ...piece, at: 0, label: 0 }) ? old.element : pieceOf(piece);
      const start = old?.at ?? (before.length && from ? from(at) : null);
      if (element !== old?.element) this.layer.append(element);
      if (start && (element !== old?.element)) move(element, start), element.getBoundingClientRect();
      if (!old && !start && before.length) element.classList.add("scene-in");
      move(element, at);
      if (!old || textOf(old.piece.at) !== textOf(piece.at)) come.push(piece.at), old && left.push(old.piece.at);
      return { piece, element, at };
    });
    const stay = new Set(this.drawn.map((own) => own.element));
    for (const old of before) if (!stay.has(old.element)) old.element.remove();
    return { come, left };
  }
}

function move(element, { x, y, size = 1 }) {
  element.style.transform = `translate(${x}px, ${y}px) scale(${size})`;
}

/** For each new piece the place of the old one it was: by id, by the same place, by look and nearness. */
function paired(before, after) {
  const [found, free] = [after.map(() => -1), new Set(before.keys())];
  const take = (index, old) => (free.delete(old), (found[index] = old));
  const names = new Map(before.map((piece, place) => [piece.id, place]).filter(([id]) => id));
  after.forEach((piece, index) => piece.id && names.has(piece.id) && take(index, names.get(piece.id)));
  const spots = new Map(before.map((piece, place) => [textOf([piece.at, look(piece)]), place]));
  after.forEach((piece, index) => {
    const old = spots.get(textOf([piece.at, look(piece)]));
    if (found[index] < 0 && free.has(old) && !before[old].id && !piece.id) take(index, old);
  });
  const pairs = [];
  after.forEach((piece, index) => {
    if (found[index] >= 0 || piece.id) return;
    for (const old of free) if (!before[old].id && look(before[old]) === look(piece)) pairs.push([apart(before[old].at, piece.at), index, old]);
  });
  for (const [, index, old] of pairs.sort((a, b) => a[0] - b[0])) if (found[index] < 0 && free.has(old)) take(index, old);
  return found;
}
const apart = (a, b) => (Array.isArray(a) && Array.isArray(b) ? Math.hypot(a[0] - b[0], a[1] - b[1]) : 1);

/** A line with, if it is an arrow, its head; its ends lie a little inside of what it joins. */
function arrow(from, to, name, { head = 0, short = 0 } = {}) {
  const length = Math.hypot(to.x - from.x, to.y - from.y) || 1;
  const [dx, dy] = [(to.x - from.x) / length, (to.y - from.y) / length];
  const [x1, y1, x2, y2] = [from.x + dx * short, from.y + dy * short, to.x - dx * short, to.y - dy * short];
  const tip = (along, aside) => `${x2 - dx * along - dy * aside} ${y2 - dy * along + dx * aside}`;
  const line = draw("line", { x1, y1, x2: x2 - dx * head * 0.7, y2: y2 - dy * head * 0.7 });
  return draw("g", { class: name }, line, head ? draw("path", { class: "scene-head", d: `M${tip(0, 0)}L${tip(head, head / 2)}L${tip(head, -head / 2)}Z` }) : "");
}

const middle = (points) => ({ x: points.reduce((sum, p) => sum + p[0], 0) / points.length, y: points.reduce((sum, p) => sum + p[1], 0) / points.length });
const pathOf = (rings) => rings.map((ring) => `M${ring.map((point) => point.map(Number).join(" ")).join("L")}Z`).join("");
const ringsOf = (shape) => (typeof shape[0][0] === "number" ? [shape] : shape);

/** What draws one part: `element` is put on the page once, `show` brings it to another state. */
class Drawn {
  constructor() {
    this.svg = draw("svg", { role: "group" });
    this.element = make("div", { class: "scene-picture" }, this.svg);
    this.standing = new Standing();
  }
  frame(part, [x, y, width, height], largest) {
    this.svg.setAttribute("viewBox", [x, y, width, height].map((n) => Math.round(n * 1000) / 1000).join(" "));
    this.svg.setAttribute("aria-label", shown(part.label ?? part.title ?? `the ${part.part}`));
    this.element.style.maxWidth = `${largest}px`;
  }
}

class GridView extends Drawn {
  constructor() {
    super();
    this.isTurned = false;
    const turn = button("Flip the board", () => ((this.isTurned = !this.isTurned), this.show(this.part, this.view), this.view.offer(this.view.offered, this.view.chosen, this.view.starts)));
    this.tools = make("div", { class: "scene-tools" }, turn);
  }
  show(part, view) {
    Object.assign(this, { part, view });
    if (part.checkered && !this.tools.isConnected) this.element.append(this.tools);
    const [rows, columns] = part.size;
    const [isHex, isPoints, isRack] = [part.shape === "hex", part.shape === "points", part.enter === "top"];
    const down = isHex ? ROW : 1;
    const seen = ([r, c]) => (this.isTurned ? [rows - 1 - r, columns - 1 - c] : [r, c]);
    const at = (own) => (([r, c]) => ({ x: c + 0.5 + (isHex ? r / 2 : 0), y: r * down + (isHex ? 0.58 : 0.5) }))(seen(own));
    const [width, height] = [columns + (isHex ? (rows - 1) / 2 : 0), isHex ? rows * down + 0.3 : rows];
    const letters = Math.max(0, ...(part.row_labels ?? []).map((label) => shown(label).length));
    const scale = Math.max(1, columns / 9); // names stay as readable on large boards
    const left = (letters ? 0.2 + letters * 0.2 * scale : 0.1) + (part.edges ? 0.12 : 0);
    const [above, below] = part.column_labels ? (isHex ? [0.42 * scale + 0.12, 0.1] : [0.1, 0.42 * scale]) : [0.1, 0.1];
    this.frame(part, [-left, -above, width + left + 0.1, height + above + below], Math.min(620, 70 + columns * (rows * columns > 150 ? 30 : 66)));
    const cells = [...Array(rows).keys()].flatMap((r) => [...Array(columns).keys()].map((c) => [r, c]));
    const special = new Map((part.cells ?? []).map((cell) => [String(cell.at), cell]));
    const ground = draw("g", {}, isPoints ? this.#crossings(rows, columns) : isRack ? draw("rect", { class: "scene-holes", width: columns, height: rows }) : cells.map((cell) => this.#ground(part, cell, at(cell), isHex)));
    for (const region of part.regions ?? []) for (const cell of region.cells) ground.append(this.#area(at(cell), isHex, classes("scene-region", role(region.role))));
    for (const cell of special.values()) ground.append(this.#special(cell, at(cell.at), isHex));
    const stroke = (own, look) => draw("g", { "data-element": own.id }, arrow(at(own.from), at(own.to), classes("scene-line", role(own.role)), look));
    const strokes = draw("g", {}, (part.lines ?? []).map((own) => stroke(own)), (part.arrows ?? []).map((own) => stroke(own, { head: 0.3, short: 0.2 })));
    const first = this.size !== textOf(part.size);
    if (first) this.standing = new Standing();
    this.size = textOf(part.size);
    const enter = { top: (p) => ({ ...p, y: -0.6 }), bottom: (p) => ({ ...p, y: rows + 0.6 }), left: (p) => ({ ...p, x: -0.6 }), right: (p) => ({ ...p, x: columns + 0.6 }) }[part.enter];
    const crowds = new Map();
    const placed = (part.pieces ?? []).map((piece) => (crowds.set(String(piece.at), (crowds.get(String(piece.at)) ?? 0) + 1), crowds.get(String(piece.at)) - 1));
    const order = new Map((part.pieces ?? []).map((piece, index) => [piece, placed[index]]));
    const spot = (piece) => crowd(at(piece.at), order.get(piece), crowds.get(String(piece.at)));
    const { come, left: gone } = this.standing.show(part.pieces ?? [], spot, enter);
    const isMany = first || come.length > 8;
    const ring = (cell) => (isHex ? this.#area(at(cell), true, "") : (({ x, y }) => (isRack ? draw("circle", { cx: x, cy: y, r: 0.44 }) : draw("rect", { x: x - 0.46, y: y - 0.46, width: 0.92, height: 0.92, rx: 0.1 })))(at(cell)));
    const start = ({ x, y }) => draw("path", { d: `M${x - 0.46} ${y - 0.46}h.92v.92h-.92Z` });
    const rings = draw("g", { class: classes("scene-last", isRack && "is-rack") }, isMany ? [] : come.map(ring), isMany || isHex ? [] : gone.map((cell) => start(at(cell))));
    const lifted = new Map(this.standing.drawn.map((own) => [String(own.piece.at), own.element]));
    const hits = draw("g", { class: "scene-hits" }, cells.map((cell) => this.#hit(part, cell, at(cell), isHex, special, lifted.get(String(cell)))));
    const rack = isRack && draw("path", { class: "scene-rack", "fill-rule": "evenodd", d: `M0 0H${columns}V${rows}H0Z${cells.map(([r, c]) => `M${c + 0.1} ${r + 0.5}a.4 .4 0 1 0 .8 0a.4 .4 0 1 0-.8 0Z`).join("")}` });
    const standing = isRack ? [this.standing.layer, rack, rings] : [rings, this.standing.layer];
    this.svg.replaceChildren(ground, this.#edges(part, at, isHex), this.#walls(part), this.#labels(part, at, height, scale), ...standing, strokes, hits);
  }
  /** Sides of the board that belong to somebody. */
  #edges(part, at, isHex) {
    const [rows, columns] = part.size;
    const [across, along, far, near] = [[...Array(columns).keys()], [...Array(rows).keys()], isHex ? 0.577 : 0.5, isHex ? 0.289 : 0.5];
    const corners = (cells, steps) => cells.map(at).flatMap(({ x, y }) => steps.map(([right, down]) => `${x + right} ${y + down}`)).join("L");
    const sides = {
      top: () => corners(across.map((c) => [0, c]), [[-0.5, -near], [0, -far], [0.5, -near]]),
      bottom: () => corners(across.map((c) => [rows - 1, c]), [[-0.5, near], [0, far], [0.5, near]]),
      left: () => corners(along.map((r) => [r, 0]), [[-0.5, -near], [-0.5, near]]),
      right: () => corners(along.map((r) => [r, columns - 1]), [[0.5, -near], [0.5, near]]),
    };
    return draw("g", { class: "scene-edges" }, Object.entries(part.edges ?? {}).map(([side, owner]) => draw("path", { class: role(owner), d: `M${sides[side]()}` })));
  }
  #area({ x, y }, isHex, name) {
    if (!isHex) return draw("rect", { class: name, x: x - 0.5, y: y - 0.5, width: 1, height: 1 });
    return draw("path", { class: name, d: `M${x} ${y - 0.577}L${x + 0.5} ${y - 0.289}V${y + 0.289}L${x} ${y + 0.577}L${x - 0.5} ${y + 0.289}V${y - 0.289}Z` });
  }
  #ground(part, [r, c], place, isHex) {
    return this.#area(place, isHex, classes("scene-cell", part.checkered && (r + c) % 2 ? "role-board-alternate" : "role-board"));
  }
  #crossings(rows, columns) {
    const lines = [draw("rect", { class: "scene-cell scene-wood", width: columns, height: rows })];
    for (let r = 0; r < rows; r++) lines.push(draw("line", { class: "scene-rule", x1: 0.5, x2: columns - 0.5, y1: r + 0.5, y2: r + 0.5 }));
    for (let c = 0; c < columns; c++) lines.push(draw("line", { class: "scene-rule", y1: 0.5, y2: rows - 0.5, x1: c + 0.5, x2: c + 0.5 }));
    const star = rows === columns && { 9: [2, 4, 6], 13: [3, 6, 9], 19: [3, 9, 15] }[rows];
    for (const r of star || []) for (const c of star) if (rows > 9 || (r === 4) === (c === 4)) lines.push(draw("circle", { class: "scene-star", cx: c + 0.5, cy: r + 0.5, r: 0.08 }));
    return lines;
  }
  #special(cell, place, isHex) {
    const text = shown(cell.text ?? "");
    const words = text && draw("text", { class: "scene-letters", x: place.x, y: place.y, dy: "0.36em", "font-size": Math.min(0.42, 1.5 / text.length) }, text);
    const mark = cell.mark && draw("path", { class: "scene-mark", d: `M${place.x + 0.3} ${place.y - 0.42}h.12v.22h-.12ZM${place.x + 0.3} ${place.y - 0.16}h.12v.1h-.12Z` });
    return draw("g", { class: cell.mark ? "scene-marked" : "" }, this.#area(place, isHex, classes("scene-special", role(cell.role))), words, mark);
  }
  #walls(part) {
    const wall = ([[r, c], [s, d]]) => (r === s ? draw("line", { x1: Math.max(c, d), x2: Math.max(c, d), y1: r, y2: r + 1 }) : draw("line", { y1: Math.max(r, s), y2: Math.max(r, s), x1: c, x2: c + 1 }));
    return draw("g", { class: "scene-walls" }, (part.walls ?? []).map(wall));
  }
  #labels(part, at, height, scale) {
    const aside = part.edges ? 0.12 : 0;
    const across = part.shape === "hex" ? -0.14 - aside : height + 0.32 * scale;
    const size = 0.28 * scale;
    const ofColumn = (label, c) => draw("text", { "font-size": size, x: at([0, c]).x, y: across, "data-element": part.id && `${part.id}/column:${c}` }, label);
    const ofRow = (label, r) => draw("text", { "font-size": size, class: "scene-side", x: Math.min(at([r, 0]).x, at([r, part.size[1] - 1]).x) - 0.62 - aside, y: at([r, 0]).y + 0.1 * scale, "data-element": part.id && `${part.id}/row:${r}` }, label);
    return draw("g", { class: "scene-labels", "aria-hidden": "true" }, (part.column_labels ?? []).map(ofColumn), (part.row_labels ?? []).map(ofRow));
  }
  #hit(part, [r, c], place, isHex, special, piece) {
    const here = (part.pieces ?? []).filter((piece) => piece.at[0] === r && piece.at[1] === c);
    const cell = special.get(String([r, c]));
    const regions = (part.regions ?? []).filter((region) => region.cells.some((own) => own[0] === r && own[1] === c)).map((region) => region.label);
    const [column, row] = [part.column_labels?.[c], part.row_labels?.[r]];
    const where = [column && `column ${column}`, row && `row ${row}`].filter(Boolean).join(", ") || `row ${r + 1}, column ${c + 1}`;
    const inside = [cell?.label ?? cell?.text, ...here.map((piece) => piece.label), ...regions].filter(Boolean);
    const ids = [...here.map((piece) => piece.id), part.id && `${part.id}:${r},${c}`, part.id && `${part.id}/column:${c}`, part.id && `${part.id}/row:${r}`];
    const hit = this.#area(place, isHex, "scene-hit");
    hit.standing = piece;
    const hint = draw("circle", { class: "scene-hint", cx: place.x, cy: place.y, r: piece ? 0.43 : 0.14, "fill-opacity": piece ? 0 : null });
    return [dressed(hit, { ...stop(ids, inside.length ? inside.join("; ") : `${where}: empty`), "data-name": column && row && column + row }, []), hint];
  }
}

/** Several pieces in one place stand beside each other, smaller. */
function crowd(place, index, many) {
  if (many < 2) return place;
  const across = Math.ceil(Math.sqrt(many));
  const size = 1 / across;
  return { x: place.x + ((index % across) + 0.5) * size - 0.5, y: place.y + (Math.floor(index / across) + 0.5) * size - 0.5, size };
}

/** What can be written into an area: its name, or else its id where that is short. */
const namesOf = (area) => [area.label.split(",")[0], area.id].filter((own, place) => own.length <= (place ? 6 : 22));
const meets = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];

/** Whether a point lies in one of the rings of an area. */
function isIn([x, y], rings) {
  return rings.some((ring) => ring.reduce((odd, [x1, y1], place) => {
    const [x2, y2] = ring[(place + 1) % ring.length];
    return y1 > y !== y2 > y && x < ((x2 - x1) * (y - y1)) / (y2 - y1) + x1 ? !odd : odd;
  }, false));
}

/** Places for the names of areas, such that none lies on another or on a piece: short ones first, full ones where they fit. */
function lettered(areas, taken, size) {
  const boxOf = (text, [x, y]) => [x - text.length * size * 0.4, y - size * 0.85, x + text.length * size * 0.4, y + size * 0.3];
  const found = [];
  const shapes = areas.map((area) => ({ area, rings: ringsOf(area.shape), names: namesOf(area) })).filter(({ names, area }) => names.includes(area.id));
  for (const own of shapes) {
    const xs = own.rings[0].map(([x]) => x);
    own.width = Math.max(...xs) - Math.min(...xs);
  }
  for (const own of shapes.sort((a, b) => a.width - b.width)) {
    const [x, y] = own.area.label_at;
    const text = own.names.at(-1);
    const steps = [0, 1, -1, 2, -2, 3, -3].flatMap((down) => [0, 0.5, -0.5, 1, -1, 1.5, -1.5].map((right) => [x + right * size * 1.6, y + down * size * 0.6]));
    const cost = (at) => {
      const box = boxOf(text, at);
      return (found.some((other) => meets(box, other.box)) ? 100 : 0) + 10 * taken.filter((other) => meets(box, other)).length + (isIn(at, own.rings) ? 0 : 6) + Math.hypot(at[0] - x, at[1] - y) / size;
    };
    const at = steps.reduce((best, each) => (cost(each) < cost(best) ? each : best));
    if (cost(at) < 100) found.push({ text, at, box: boxOf(text, at), own });
  }
  for (const each of found) {
    const [name, box] = [each.own.names[0], boxOf(each.own.names[0], each.at)];
    if (box[2] - box[0] < each.own.width && !taken.some((other) => meets(box, other)) && !found.some((other) => other !== each && meets(box, other.box))) Object.assign(each, { text: name, box });
  }
  return found;
}

class MapView extends Drawn {
  constructor() {
    super();
    this.zoom = 1;
    this.sketched = [];
    this.window = make("div", { class: "scene-window", tabindex: 0, role: "region", "aria-label": "the map, which scrolls when it is zoomed" }, this.svg);
    this.larger = button("Zoom in", () => this.#zoom(1.5));
    this.smaller = button("Zoom out", () => this.#zoom(1 / 1.5), { disabled: true });
    this.element.append(this.window, make("div", { class: "scene-tools" }, this.larger, this.smaller));
  }
  #zoom(by) {
    const { scrollLeft, scrollTop, clientWidth, clientHeight } = this.window;
    const before = this.zoom;
    this.zoom = Math.max(1, Math.min(6, this.zoom * by));
    const grown = this.zoom / before;
    this.svg.style.width = `${100 * this.zoom}%`;
    this.larger.disabled = this.zoom >= 6;
    this.smaller.disabled = this.zoom <= 1;
    this.window.scrollLeft = (scrollLeft + clientWidth / 2) * grown - clientWidth / 2;
    this.window.scrollTop = (scrollTop + clientHeight / 2) * grown - clientHeight / 2;
    this.#letter();
  }
  show(part) {
    this.part = part;
    const [width, height] = part.size;
    this.unit = Math.min(width, height) / 26;
    this.frame(part, [0, 0, width, height], 900);
    const areas = part.areas.map((area) => draw("path", { class: classes("scene-area", `kind-${area.kind}`, role(area.role)), d: pathOf(ringsOf(area.shape)), "fill-rule": "evenodd" }));
    this.places = new Map((part.places ?? []).map((place) => [place.id, { x: place.at[0], y: place.at[1], area: place.area }]));
    const spot = (piece) => ({ ...this.places.get(piece.at), size: piece.shape === "centre" ? this.unit * 0.5 : this.unit });
    this.standing.show(part.pieces ?? [], spot);
    const orders = (part.orders ?? []).map((order) => this.#order(order, this.places, this.unit));
    const hits = part.areas.map((area) => this.#hit(part, area, this.places));
    this.names = draw("g", { class: "scene-names", "aria-hidden": "true" });
    this.drafts = draw("g", { class: "scene-orders scene-drafts", "stroke-width": this.unit * 0.16 });
    this.svg.replaceChildren(draw("g", {}, areas), this.standing.layer, draw("g", { class: "scene-orders", "stroke-width": this.unit * 0.11 }, orders), this.names, this.drafts, draw("g", { class: "scene-hits" }, hits));
    this.#letter();
    this.sketch(this.sketched);
  }
  /** Names as large as can be read, as far as they find room. */
  #letter() {
    const size = (this.unit * 0.62) / Math.sqrt(this.zoom);
    const taken = this.standing.drawn.map(({ at: { x, y, size: own } }) => [x - own * 0.42, y - own * 0.42, x + own * 0.42, y + own * 0.42]);
    this.names.replaceChildren(...lettered(this.part.areas, taken, size).map(({ text, at: [x, y] }) => draw("text", { class: "scene-name", x, y, "font-size": size }, text)));
  }
  /** Orders that somebody is about to give, each by the areas that it names. */
  sketch(orders) {
    this.sketched = orders;
    const spot = (id) => {
      const piece = (this.part.pieces ?? []).find((own) => own.shape !== "centre" && this.places.get(own.at)?.area === id);
      const place = piece ? this.places.get(piece.at) : [...this.places.values()].find((own) => own.area === id);
      return place && { id, ...place };
    };
    const drawn = orders.map(({ path, kind }) => {
      const spots = path.map(spot);
      if (!spots.length || spots.includes(undefined)) return "";
      const places = new Map(spots.map((own) => [own.id, own]));
      const [from, to, goal] = path;
      return this.#order({ id: "", kind, from, to: path.length > 2 ? goal : to, of: path.length > 2 ? to : undefined }, places, this.unit);
    });
    this.drafts.replaceChildren(...drawn.filter(Boolean));
  }
  #order(order, places, unit) {
    const [from, to, of] = [order.from, order.to, order.of].map((name) => places.get(name));
    const own = { class: classes("scene-order", `order-${order.kind}`, role(order.role), order.failed && "is-failed"), "data-element": order.id || null };
    const goal = to && of && order.kind !== "move" ? middle([[of.x, of.y], [to.x, to.y]]) : (to ?? of);
    if (!goal) return draw("g", own, draw("circle", { cx: from.x, cy: from.y, r: unit * 0.62 }));
    const middlePoint = middle([[from.x, from.y], [goal.x, goal.y]]);
    const cross = order.failed && draw("path", { class: "scene-failed", d: `M${middlePoint.x - unit / 3} ${middlePoint.y - unit / 3}l${unit / 1.5} ${unit / 1.5}m${-unit / 1.5} 0l${unit / 1.5} ${-unit / 1.5}` });
    return draw("g", own, arrow(from, goal, "", { head: unit * 0.5, short: unit * 0.45 }), cross);
  }
  #hit(part, area, places) {
    const here = (part.pieces ?? []).filter((piece) => places.get(piece.at)?.area === area.id);
    const spots = (part.places ?? []).filter((place) => place.area === area.id).map((place) => place.id);
    const label = [area.label, ...here.map((piece) => piece.label)].join("; ");
    return draw("path", { class: "scene-hit", d: pathOf(ringsOf(area.shape)), ...stop([...here.map((piece) => piece.id), area.id, ...spots], label) });
  }
}

class GraphView extends Drawn {
  show(part) {
    const at = positions(part);
    const [xs, ys] = [[...at.values()].map((p) => p.x), [...at.values()].map((p) => p.y)];
    const [x, y, right, bottom] = [Math.min(0, ...xs), Math.min(0, ...ys), Math.max(0, ...xs), Math.max(0, ...ys)];
    const unit = part.layout === "given" ? Math.max(right - x, bottom - y, 1) / 8 : 1;
    this.frame(part, [x - unit, y - unit * 0.7, right - x + 2 * unit, bottom - y + 1.5 * unit], 620);
    const edges = part.edges.map((edge) => {
      const [from, to] = [at.get(edge.from), at.get(edge.to)];
      const word = edge.label && draw("text", { class: "scene-name", x: (from.x + to.x) / 2, y: (from.y + to.y) / 2 - unit * 0.06, "font-size": unit * 0.22 }, edge.label);
      return draw("g", stop([edge.id], edge.label || `${edge.from} to ${edge.to}`), arrow(from, to, classes("scene-edge", role(edge.role)), { head: edge.directed ? unit * 0.22 : 0, short: edge.directed ? unit * 0.36 : 0 }), word);
    });
    const nodes = part.nodes.map((node) => {
      const place = at.get(node.id);
      const body = pieceOf(node);
      move(body, { ...place, size: unit * 0.8 });
      const name = draw("text", { class: "scene-name", x: place.x, y: place.y + unit * 0.55, "font-size": unit * 0.22 }, node.label);
      return draw("g", stop([node.id], node.label), body, name);
    });
    this.svg.replaceChildren(draw("g", { "stroke-width": unit * 0.04 }, edges), ...nodes);
  }
}

function positions(part) {
  if (part.layout === "given") return new Map(part.nodes.map((node) => [node.id, { x: node.at[0], y: node.at[1] }]));
  if (part.layout !== "layers") {
    const radius = Math.max(1.2, part.nodes.length * 0.35);
    return new Map(part.nodes.map((node, index) => [node.id, { x: radius * Math.sin((2 * Math.PI * index) / part.nodes.length), y: -radius * Math.cos((2 * Math.PI * index) / part.nodes.length) }]));
  }
  const layer = new Map(part.nodes.map((node) => [node.id, 0]));
  for (let round = 0; round < part.nodes.length; round++)
    for (const edge of part.edges) layer.set(edge.to, Math.max(layer.get(edge.to), Math.min(layer.get(edge.from) + 1, part.nodes.length)));
  const counts = new Map();
  return new Map(part.nodes.map((node) => {
    const depth = layer.get(node.id);
    counts.set(depth, (counts.get(depth) ?? -1) + 1);
    return [node.id, { x: counts.get(depth) * 1.6, y: depth * 1.4 }];
  }));
}

class ShapesView extends Drawn {
  show(part) {
    this.frame(part, [0, 0, ...part.size], Math.min(720, (540 * part.size[0]) / part.size[1]));
    const drawn = (isAbove) => part.shapes.filter((shape) => Boolean(shape.above) === isAbove).map((shape) => this.#shape(shape));
    this.svg.replaceChildren(draw("g", { class: "scene-shapes", "stroke-width": Math.max(...part.size) / 300 }, drawn(false), drawn(true)));
  }
  #shape(shape) {
    const name = { class: classes(`scene-${shape.kind}`, role(shape.role)), ...(shape.id || shape.label ? stop([shape.id], shape.label || shape.text || shape.id) : {}) };
    const [x, y] = shape.at ?? [0, 0];
    switch (shape.kind) {
      case "rect":
        return draw("rect", { ...name, x, y, width: shape.size[0], height: shape.size[1] });
      case "circle":
        return draw("circle", { ...name, cx: x, cy: y, r: shape.radius });
      case "line":
        return draw("line", { ...name, x1: shape.from[0], y1: shape.from[1], x2: shape.to[0], y2: shape.to[1] });
      case "polygon":
        return draw("path", { ...name, d: pathOf([shape.points]) });
      case "arc": {
        const end = (angle) => `${x + shape.radius * Math.cos((angle * Math.PI) / 180)} ${y + shape.radius * Math.sin((angle * Math.PI) / 180)}`;
        return draw("path", { ...name, d: `M${end(shape.start)}A${shape.radius} ${shape.radius} 0 ${Math.abs(shape.end - shape.start) > 180 ? 1 : 0} ${shape.end > shape.start ? 1 : 0} ${end(shape.end)}` });
      }
      default:
        return draw("text", { ...name, x, y, "font-size": shape.size }, shape.text);
    }
  }
}

/** Parts that are plain elements of the page are made anew; cards and pieces with ids move to where they lie then. */
class PlainView {
  constructor(build) {
    this.build = build;
    this.element = make("div", { class: "scene-plain-part" });
  }
  show(part, view) {
    this.element.replaceChildren(...[this.build(part, view, this.part)].flat());
    this.part = part;
  }
}

const loose = (piece) => draw("svg", { class: "scene-loose", viewBox: "-.55 -.55 1.3 1.1", "aria-hidden": "true" }, pieceOf(piece));
const SUITS = { spades: "♠", clubs: "♣", hearts: "♥", diamonds: "♦" };

function piecesPart(part) {
  if (!part.pieces.length) return make("p", { class: "scene-soft" }, "none");
  return make("div", { class: "scene-row", role: "group", "aria-label": part.label ?? part.title ?? "pieces" }, part.pieces.map((piece) => make("span", { class: "scene-thing", ...stop([piece.id], piece.count === undefined ? piece.label : `${piece.label}: ${piece.count}`) }, loose(piece))));
}

function cardsPart(part) {
  if (!part.cards.length) return make("p", { class: "scene-soft" }, "none");
  const layout = part.layout ?? "row";
  const cards = layout === "pile" ? part.cards.slice(-1) : part.cards;
  const many = layout === "pile" && part.cards.length > 1 ? make("span", { class: "scene-soft" }, `${part.cards.length} in the pile`) : "";
  return make("div", { class: `scene-row scene-cards layout-${layout}`, role: "group", "aria-label": part.label ?? part.title ?? "cards" }, cards.map(cardOf), many);
}

function cardOf(card) {
  const suit = SUITS[card.suit] ?? card.suit ?? "";
  const face = card.face === "down" ? "" : card.text || (suit ? [make("b", {}, card.rank ?? ""), make("span", { class: "scene-suit" }, `${suit}\ufe0e`)] : (card.rank ?? ""));
  const colour = card.role ? role(card.role) : suit === "♥" || suit === "♦" ? "role-suit-red" : suit ? "role-suit-black" : card.rank ? "is-plain" : "";
  const many = card.count === undefined ? "" : make("span", { class: "scene-times" }, `×${card.count}`);
  const body = make("span", { class: classes("scene-card", `face-${card.face}`, colour) }, face, many);
  return make("span", { class: "scene-thing", ...stop([card.id], card.label) }, body, (card.notes ?? []).map((note) => make("span", { class: "scene-note" }, note)));
}

function tablePart(part, _, before) {
  const old = new Map((before?.rows ?? []).flatMap((row) => row.cells).map((own) => [own?.id, own?.text]));
  const isNumber = (place) => ["number", "amount"].includes(part.columns[place]?.kind);
  const cell = (own, place) => {
    const column = part.columns[place]?.id;
    if (own === null || typeof own !== "object") return make("td", { class: isNumber(place) ? "number" : "", "data-element": column, dir: "auto" }, own);
    const isChanged = before && isNumber(place) && (old.get(own.id) ?? "") !== own.text;
    const told = [own.label !== own.text && own.label, isChanged && "changed"].filter(Boolean).join(", ");
    return make("td", { class: classes(isNumber(place) && "number", isChanged && "is-changed", role(own.role)), "data-stop": "yes", "data-element": [own.id, column].filter(Boolean).join(" "), tabindex: -1, title: told, dir: "auto" }, own.strong && own.text.startsWith(own.strong) ? [make("b", {}, own.strong), own.text.slice(own.strong.length)] : own.text, told && make("span", { class: "scene-unseen" }, ` (${told})`));
  };
  const head = make("tr", {}, part.columns.map((column, place) => make("th", { scope: "col", class: isNumber(place) ? "number" : "", "data-element": column.id, dir: "auto" }, column.title || make("span", { class: "scene-unseen" }, "name"))));
  const rows = part.rows.map((row) => make("tr", { class: role(row.role), "data-element": row.id }, row.cells.map(cell)));
  return make("div", { class: "scene-scroll", tabindex: 0, role: "region", "aria-label": part.caption ?? part.title ?? part.label ?? "table" }, make("table", {}, part.caption ? make("caption", {}, part.caption) : "", make("thead", {}, head), make("tbody", {}, rows)));
}

function metersPart(part) {
  return make("div", { class: "scene-meters" }, part.meters.map((meter) => {
    const words = [meter.value, meter.unit].filter((own) => own !== undefined && own !== "").join(" ");
    const bounds = meter.greatest !== undefined ? ` of ${meter.greatest}` : "";
    const share = meter.greatest !== undefined && meter.greatest > (meter.least ?? 0) ? (meter.value - (meter.least ?? 0)) / (meter.greatest - (meter.least ?? 0)) : null;
    const bar = share === null ? "" : draw("svg", { class: classes("scene-bar", role(meter.role)), viewBox: "0 0 100 4", preserveAspectRatio: "none", "aria-hidden": "true" }, draw("rect", { class: "scene-track", width: 100, height: 4 }), draw("rect", { class: "scene-filled", width: 100 * share, height: 4 }));
    return make("div", { class: classes("scene-meter", role(meter.role)), ...stop([meter.id], `${meter.label}: ${words}${bounds}`) }, make("span", { class: "scene-label" }, meter.label), make("span", { class: "scene-value" }, `${words}${bounds}`), bar);
  }));
}

/** Messages one below the other; those of one's own stand at the other side. */
function messagesPart(part) {
  const said = (own) => make("li", { "data-element": own.id, class: classes(role(own.role), own.is_own && "is-own") }, make("span", { class: "scene-soft", dir: "auto" }, `${own.is_own ? "you" : own.from} to ${own.to}${own.when ? `, ${own.when}` : ""}: `), make("span", { class: "scene-said", dir: "auto" }, own.text));
  return make("ol", { class: "scene-messages" }, part.messages.map(said));
}

const PARTS = {
  grid: () => new GridView(),
  map: () => new MapView(),
  graph: () => new GraphView(),
  drawing: () => new ShapesView(),
  pieces: () => new PlainView(piecesPart),
  cards: () => new PlainView(cardsPart),
  table: () => new PlainView(tablePart),
  meters: () => new PlainView(metersPart),
  messages: () => new PlainView(messagesPart),
  text: () => new PlainView((part) => make(part.kind === "code" ? "pre" : "p", { class: `scene-text kind-${part.kind ?? "say"}`, dir: "auto", ...(part.kind === "code" ? { tabindex: 0, role: "region", "aria-label": part.label ?? part.title ?? "text" } : {}) }, part.text)),
  picture: () => new PlainView((part, view) => {
    return part.image ? make("img", { class: "scene-image", src: part.image, alt: view.scene.alternative }) : make("pre", { class: "scene-text kind-code", tabindex: 0, role: "region", "aria-label": view.scene.title }, view.scene.alternative);
  }),
  sides: () => new SidesView(),
};

/** A part with its title and note; what draws it stays for as long as the part is of the same kind. */
class Framed {
  constructor(kind) {
    this.kind = kind;
    this.inner = PARTS[kind]();
    this.title = make("p", { class: "scene-title" });
    this.legend = make("p", { class: "scene-legend" });
    this.element = make("div", { class: `scene-part part-${kind}` }, this.title, this.inner.element, this.legend);
  }
  show(part, view) {
    const text = textOf(part);
    if (text === this.text) return;
    this.text = text;
    const owner = part.owner === undefined ? "" : role(`player-${part.owner}`);
    this.title.replaceChildren(...(part.title ? [make("span", { class: classes("scene-head", owner && "scene-owned", owner), dir: "auto" }, shown(part.title))] : []), ...(part.note ? [make("span", { class: "scene-soft", dir: "auto" }, shown(`${part.title ? "  " : ""}${part.note}`))] : []));
    this.title.hidden = !part.title && !part.note;
    this.legend.replaceChildren(...(part.regions ?? []).map((region) => make("span", { class: classes("scene-swatch", role(region.role)) }, shown(region.label))));
    this.legend.hidden = !part.regions?.length;
    if (part.id) this.element.dataset.part = this.element.dataset.element = part.id;
    this.inner.show(part, view);
  }
}

/** Parts one after another, each kept by its name. */
class Stack {
  constructor(element) {
    this.element = element;
    this.parts = new Map();
  }
  show(parts, view) {
    const before = this.parts;
    this.parts = new Map([...named(parts)].map(([name, part]) => {
      const old = before.get(name);
      return [name, old?.kind === part.part ? old : new Framed(part.part)];
    }));
    [...named(parts)].forEach(([name, part]) => this.parts.get(name).show(part, view));
    const wanted = [...this.parts.values()].map((own) => own.element);
    if (wanted.length !== this.element.childNodes.length || wanted.some((own, place) => own !== this.element.childNodes[place])) this.element.replaceChildren(...wanted);
  }
}

class SidesView {
  constructor() {
    this.element = make("div", { class: "scene-sides" });
    this.stack = new Stack(this.element);
  }
  show(part, view) {
    this.stack.show(part.parts, view);
  }
}

const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const STOPS = "[data-stop]";
const isCalm = () => !document.documentElement.classList.contains("has-motion") || matchMedia("(prefers-reduced-motion: reduce)").matches;

/**
 * Shows scenes one after another in one place. `touched` is called with the id of an element that was touched and can
 * be: see `offer`; `escaped` when Escape is pressed in it.
 */
export class SceneView {
  constructor({ touched = null, escaped = null } = {}) {
    Object.assign(this, { touched, escaped, scene: null, offered: new Map(), chosen: new Set(), starts: new Set() });
    this.body = make("div", { class: "scene-body-of-parts" });
    this.words = make("pre", { class: "scene-alternative", tabindex: 0, role: "region", "aria-label": "the position in words", dir: "auto" });
    this.element = make("div", { class: "scene", role: "group" }, this.body, make("details", { class: "scene-words" }, make("summary", {}, "In words"), this.words));
    this.stack = new Stack(this.body);
    this.element.addEventListener("keydown", (event) => this.#key(event));
    this.element.addEventListener("click", (event) => this.#touch(event.target));
    this.element.addEventListener("pointerdown", (event) => this.#lift(event));
    this.element.addEventListener("focusin", (event) => event.target.matches(STOPS) && this.#rove(event.target));
  }
  /** Draw a scene; what was there before moves to where it is then. */
  show(scene) {
    const [focus, places] = [this.#focused(), this.#places()];
    this.scene = scene;
    this.element.setAttribute("aria-label", shown(scene.title));
    this.words.textContent = shown(scene.alternative);
    try {
      this.stack.show(scene.parts, this);
      this.body.classList.remove("is-broken");
    } catch (error) {
      this.stack = new Stack(this.body);
      this.body.classList.add("is-broken");
      this.body.replaceChildren(make("p", { role: "status" }, `This position cannot be drawn: ${error.message}`), make("pre", { class: "scene-text kind-code" }, scene.alternative));
    }
    this.offer(this.offered, this.chosen, this.starts);
    this.#slide(places);
    const again = focus && this.#stops().find((own) => own.dataset.element === focus);
    this.#rove(again ?? this.#stops()[0]);
    again?.focus();
  }
  /**
   * The elements that can be touched from here on, by their ids, or a map from ids to what touching them does, which is
   * read with them; the first of an element's ids that is one counts. Those of `chosen` have been touched already, and at
   * those of `starts` one may begin again, or lift what stands there and carry it to where it shall go.
   */
  offer(ids, chosen = [], starts = []) {
    this.offered = ids instanceof Map ? new Map(ids) : new Map([...ids].map((id) => [id, ""]));
    this.chosen = new Set(chosen);
    this.starts = new Set(starts);
    const all = [...this.element.querySelectorAll("[data-element]")];
    for (const own of all) {
      const id = this.#idOf(own);
      own.classList.toggle("is-offered", Boolean(id));
      own.classList.toggle("is-start", Boolean(own.standing) && this.#startOf(own) !== undefined);
      own.classList.toggle("is-chosen", own.dataset.element.split(" ").some((each) => this.chosen.has(each)));
      if (own.dataset.stop === "offered") delete own.dataset.stop, own.removeAttribute("tabindex");
      if (id && !own.matches(STOPS) && !own.closest("[aria-hidden]") && !own.querySelector(STOPS)) own.dataset.stop = "offered", own.setAttribute("tabindex", "-1");
    }
    for (const own of all) if (own.matches(STOPS) || own.dataset.label !== undefined) this.#tell(own);
    for (const group of this.body.querySelectorAll(".scene-hits")) {
      const hits = [...group.querySelectorAll(".scene-hit")];
      const open = hits.filter((own) => own.classList.contains("is-offered"));
      group.classList.toggle("is-telling", this.chosen.size > 0 || (open.length > 0 && open.every((own) => !own.standing) && 2 * open.length <= hits.filter((own) => !own.standing).length));
    }
    if (!this.body.querySelector('[data-stop][tabindex="0"]')) this.#rove(this.#stops()[0]);
  }
  /** Orders that are about to be given, as `{path, kind}`: maps draw them. */
  sketch(orders) {
    const each = (stack) => {
      for (const { inner } of stack.parts.values()) inner.stack ? each(inner.stack) : inner.sketch?.(orders);
    };
    each(this.stack);
  }
  /** What is read of an element: what it is, and what touching it does. */
  #tell(own) {
    const id = this.#offeredIn(own)?.[0];
    if (["img", "button"].includes(own.getAttribute("role"))) own.setAttribute("role", id ? "button" : "img");
    own.dataset.label ??= own.getAttribute("aria-label") ?? "";
    const [is, does] = [own.dataset.label, id ? this.offered.get(id) : ""];
    if (does) own.setAttribute("aria-label", shown(`${is || own.textContent}. ${does}`));
    else if (is) own.setAttribute("aria-label", is);
    else own.removeAttribute("aria-label");
  }
  /** The id that touching an element touches, and whose it is: its own, or that of what it lies in. */
  #offeredIn(element) {
    for (let own = element.closest("[data-element]"); own && this.element.contains(own); own = own.parentElement?.closest("[data-element]")) {
      const id = this.#idOf(own);
      if (id) return [id, own];
    }
    return null;
  }
  #idOf(element) {
    return (element.dataset.element ?? "").split(" ").find((id) => this.offered.has(id));
  }
  #startOf(element) {
    return (element.dataset.element ?? "").split(" ").find((id) => this.starts.has(id));
  }
  #touch(target) {
    const found = this.#offeredIn(target);
    if (found) return this.touched?.(...found);
    const own = target.closest("[data-element]");
    const again = own && this.#startOf(own);
    if (again) this.touched?.(again, own);
  }
  /** Carry a piece from where one may begin: where it is put down is touched next, and elsewhere it goes back. */
  #lift(event) {
    const from = event.target.closest?.(".is-start");
    if (!from || event.button || !event.isPrimary) return;
    const [id, piece, svg] = [this.#startOf(from), from.standing, from.ownerSVGElement];
    const [home, x, y] = [piece.style.transform, event.clientX, event.clientY];
    let isHeld = false;
    const carried = (moved) => {
      if (!isHeld && Math.hypot(moved.clientX - x, moved.clientY - y) < 6) return;
      if (!isHeld && !this.chosen.has(id)) this.touched?.(id, from);
      isHeld = true;
      piece.classList.add("is-held");
      move(piece, new DOMPoint(moved.clientX, moved.clientY).matrixTransform(svg.getScreenCTM().inverse()));
    };
    const put = (moved) => {
      for (const [kind, heard] of [["pointermove", carried], ["pointerup", put], ["pointercancel", put]]) removeEventListener(kind, heard);
      if (!isHeld) return;
      piece.classList.remove("is-held");
      piece.style.transform = home;
      const swallow = (click) => click.stopPropagation();
      addEventListener("click", swallow, { capture: true, once: true });
      setTimeout(() => removeEventListener("click", swallow, { capture: true }));
      const under = moved.type === "pointerup" ? document.elementFromPoint(moved.clientX, moved.clientY)?.closest("[data-element]") : null;
      const found = under && this.element.contains(under) && this.#offeredIn(under);
      if (found && found[1] !== from) this.touched?.(...found);
      else if (under !== from) this.escaped?.();
    };
    addEventListener("pointermove", carried);
    addEventListener("pointerup", put);
    addEventListener("pointercancel", put);
  }
  #stops() {
    return [...this.body.querySelectorAll(STOPS)];
  }
  #focused() {
    const own = document.activeElement;
    return own && this.body.contains(own) ? own.dataset.element : null;
  }
  #rove(element) {
    if (!element) return;
    for (const own of this.body.querySelectorAll('[data-stop][tabindex="0"]')) own.setAttribute("tabindex", "-1");
    if (element.matches(STOPS)) element.setAttribute("tabindex", "0");
  }
  #key(event) {
    const own = event.target.closest?.(STOPS);
    if (!own || event.altKey || event.ctrlKey || event.metaKey) return;
    if (event.key === "Escape" && this.escaped) return this.escaped();
    if (event.key === "Enter" || event.key === " ") {
      if (this.#offeredIn(own)) event.preventDefault();
      return this.#touch(own);
    }
    const way = ARROWS[event.key];
    if (!way) return;
    const next = nearest(own, this.#stops(), way);
    event.preventDefault();
    event.stopPropagation();
    next?.focus();
  }
  #places() {
    const things = [...this.body.querySelectorAll(".scene-thing[data-element]")];
    return isCalm() ? new Map() : new Map(things.map((own) => [own.dataset.element, own.getBoundingClientRect()]));
  }
  #slide(before) {
    for (const own of this.body.querySelectorAll(".scene-thing[data-element]")) {
      const [old, now] = [before.get(own.dataset.element), own.getBoundingClientRect()];
      if (!old || (old.x === now.x && old.y === now.y)) continue;
      own.animate([{ transform: `translate(${old.x - now.x}px, ${old.y - now.y}px)` }, { transform: "none" }], { duration: 300, easing: "ease-out" });
    }
  }
}

/** The nearest element in a direction; what lies more aside than ahead counts as farther away. */
function nearest(from, all, [right, down]) {
  const centre = (own) => {
    const box = own.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const [x, y] = centre(from);
  let [best, least] = [null, Infinity];
  for (const own of all) {
    const [a, b] = centre(own);
    const [along, aside] = right ? [(a - x) * right, Math.abs(b - y)] : [(b - y) * down, Math.abs(a - x)];
    const far = aside > along ? along + 3 * aside : Math.hypot(along, aside);
    if (own !== from && along > 1 && far < least) [best, least] = [own, far];
  }
  return best;
}
