// The form of a JSON schema: one JSON value, which people change by its controls and a game by fills.

import { button, keysOf, make, shown, textOf } from "./elements.js";

// Values are as in arena_scene.filling; what is not there is undefined.

const SLIDES = 20; // a whole number within so narrow bounds has a slider as well

export const isObject = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
const numeric = (schema) => (schema.anyOf ?? [schema]).find((own) => own.type === "integer" || own.type === "number") ?? {};
const isAmount = (schema) => numeric(schema).type === "integer" && "minimum" in numeric(schema);
export { keysOf };
export const inside = (pointer, key) => `${pointer}/${String(key).replaceAll("~", "~0").replaceAll("/", "~1")}`;
export const without = (object, key) => Object.fromEntries(Object.entries(object).filter(([name]) => name !== key));

/** Whether a schema is of amounts by name: nothing but whole numbers with a least. */
function isAmounts(schema) {
  const held = [...Object.values(schema.properties ?? {}), ...(isObject(schema.additionalProperties) ? [schema.additionalProperties] : [])];
  return schema.type === "object" && held.length > 0 && held.every(isAmount);
}

/** The form before anything is filled in, as far as there is only one way to begin. */
export function blank(schema) {
  if ("const" in schema) return schema.const;
  if (schema.anyOf) return blank(schema.anyOf[0]);
  if (schema.type === "string") return "";
  if (schema.type === "array") {
    const items = Array.from({ length: schema.minItems ?? 0 }, () => blank(schema.items ?? {}));
    return items.every((item) => item !== null && typeof item === "object") ? items : [];
  }
  if (schema.type !== "object") return undefined;
  const needed = Object.entries(schema.properties ?? {}).filter(([name]) => (schema.required ?? []).includes(name));
  const begun = needed.map(([name, own]) => [name, isAmounts(schema) ? numeric(own).minimum : blank(own)]);
  return Object.fromEntries(begun.filter(([, own]) => own !== undefined));
}

function inner(schema, key) {
  if (schema.type === "array") return key === "-" || /^\d+$/.test(key) ? (schema.items ?? {}) : undefined;
  const found = schema.type === "object" ? (schema.properties?.[key] ?? schema.additionalProperties ?? {}) : undefined;
  return isObject(found) ? found : undefined;
}

/** What a schema says of the value at a pointer. */
export function schemaAt(schema, keys) {
  if (typeof keys === "string") return schemaAt(schema, keysOf(keys));
  if (!keys.length) return schema;
  if (schema.anyOf) return schema.anyOf.map((own) => schemaAt(own, keys)).find(Boolean);
  const own = inner(schema, keys[0]);
  return own && schemaAt(own, keys.slice(1));
}

function changed(schema, value, keys, change, isKept) {
  if (!keys.length) return change(schema, value, isKept);
  const branch = schema.anyOf ? schema.anyOf.find((own) => schemaAt(own, keys)) : schema;
  const own = branch && inner(branch, keys[0]);
  if (!own) return value;
  if (branch.type === "array") {
    const items = Array.isArray(value) ? [...value] : blank(branch);
    const place = keys[0] === "-" ? items.length : Number(keys[0]);
    if (place > items.length || place >= (branch.maxItems ?? Infinity)) return items;
    const item = changed(own, items[place], keys.slice(1), change, false);
    items.splice(place, 1, ...(item === undefined ? [] : [item]));
    return items;
  }
  const begun = isObject(value) && Object.keys(value).every((name) => inner(branch, name)) ? { ...value } : blank(branch);
  const next = changed(own, begun[keys[0]], keys.slice(1), change, (branch.required ?? []).includes(keys[0]));
  if (next === undefined) return without(begun, keys[0]);
  const isFull = !(keys[0] in begun) && Object.keys(begun).length >= (branch.maxProperties ?? Infinity);
  return { ...(isFull ? without(begun, Object.keys(begun)[0]) : begun), [keys[0]]: next };
}

/** The form after the changes of a fill, one after the other. */
export function filled(schema, value, changes) {
  for (const change of changes) {
    if (change.scale) value = scaled(schema, value, change.scale);
    else if (change.times) value = repeated(schema, value, change.times);
    else if ("set" in change) value = changed(schema, value, keysOf(change.pointer), () => change.set, true);
    else if ("default" in change) value = changed(schema, value, keysOf(change.pointer), (_, old) => (old === undefined ? change.default : old), true);
    else if ("clear" in change) value = changed(schema, value, keysOf(change.pointer), (own, _, isKept) => (isKept ? blank(own) : undefined), true);
    else value = changed(schema, value, keysOf(change.pointer), (own, old, isKept) => added(own, old, change.add, isKept), true);
  }
  return value;
}

function added(schema, value, more, isKept) {
  if (schema.type === "array") {
    const items = Array.isArray(value) ? value : [];
    const rest = items.filter((item) => textOf(item) !== textOf(more));
    return rest.length < items.length ? rest : items.length < (schema.maxItems ?? Infinity) ? [...items, more] : items;
  }
  if (typeof more === "string") {
    const text = value ? `${value}\n${more}` : more;
    return text.length <= (schema.maxLength ?? Infinity) ? text : value;
  }
  const [was, { minimum, maximum }] = [fraction(value), numeric(schema)];
  const next = plus(was ?? [0n, 1n], fraction(more));
  if (minimum !== undefined && below(next, fraction(minimum))) return isKept || (!was && more > 0) ? told(schema, fraction(minimum)) : undefined;
  return told(schema, maximum !== undefined && below(fraction(maximum), next) ? fraction(maximum) : next);
}

function scaled(schema, value, { pointers, by, most }) {
  const found = pointers.map((pointer) => [pointer, keysOf(pointer).reduce((own, key) => (isObject(own) ? own[key] : undefined), value)]);
  const numbers = found.flatMap(([, own]) => (isObject(own) ? Object.values(own) : [own])).map(fraction).filter(Boolean);
  if (!numbers.length || numbers.some(([a, b]) => below(fraction(most), [a * BigInt(by), b]))) return value;
  return found.reduce((all, [pointer, own]) => (own === undefined ? all : changed(schema, all, keysOf(pointer), (each, old) => times(each, old, by), true)), value);
}

/** All numbers in a value, some times over. */
function times(schema, value, by) {
  if (isObject(value)) return Object.fromEntries(Object.entries(value).map(([name, own]) => [name, times(schemaAt(schema, [name]) ?? {}, own, by)]));
  const [a, b] = fraction(value) ?? [];
  return b ? told(schema, [a * BigInt(by), b]) : value;
}

/** One of several actions, `by` times more than the form holds it now; where it holds none, the first one. */
function repeated(schema, value, { ways, by }) {
  const first = (own) => (isObject(own) ? Object.keys(own).sort().map((name) => first(own[name])).find(Boolean) : fraction(own));
  const count = ({ once }) => {
    const [[a, b], [c, d]] = [value, once].map((own) => first(own) ?? [0n, 1n]);
    return c && textOf(times(schema, once, (a * d) / (b * c))) === textOf(value) ? Number((a * d) / (b * c)) : 0;
  };
  const way = ways.find(count) ?? ways[0];
  return times(schema, way.once, Math.max(1, Math.min(way.most, count(way) + by)));
}

/** A number, also one that is written as a fraction, as numerator and denominator. */
function fraction(value) {
  const found = typeof value === "boolean" ? null : /^(-?\d+)(?:\.(\d+))?(?:\/([1-9]\d*))?$/.exec(String(value ?? "").trim());
  return found && reduced(BigInt(found[1] + (found[2] ?? "")), BigInt(found[3] ?? 1) * 10n ** BigInt(found[2]?.length ?? 0));
}
function reduced(a, b) {
  let [x, y] = [a < 0n ? -a : a, b];
  while (y) [x, y] = [y, x % y];
  return x ? [a / x, b / x] : [0n, 1n];
}
const plus = ([a, b], [c, d]) => reduced(a * d + c * b, b * d);
const below = ([a, b], [c, d]) => a * d < c * b;
function told(schema, [a, b]) {
  const [over, under] = reduced(a, b);
  if (under === 1n) return Number(over);
  return (schema.anyOf ?? []).some((own) => own.type === "string") ? `${over}/${under}` : Number(over) / Number(under);
}

export const key = (pointer, more = "") => ({ "data-key": `#${pointer}${more}`, "data-pointer": `#${pointer}` });
export const word = (value) => (typeof value === "string" ? value : Array.isArray(value) ? `(${value.map(word).join(", ")})` : value === null ? "nobody" : value === true ? "yes" : value === false ? "no" : JSON.stringify(value));
const note = ({ description }) => (description ? make("p", { class: "form-note" }, description) : "");
export const title = (schema, name) => schema.title ?? String(name).replaceAll("_", " ");
/** Whether a value is roughly of a schema, to tell its branches apart. */
export const fits = (schema, value) => {
  if ("const" in schema) return textOf(schema.const) === textOf(value);
  if (schema.anyOf) return schema.anyOf.some((own) => fits(own, value));
  const types = { object: isObject(value) && (schema.required ?? []).every((name) => name in value) && Object.entries(value).every(([name, own]) => inner(schema, name) && fits(inner(schema, name), own)), array: Array.isArray(value), string: typeof value === "string", boolean: typeof value === "boolean", integer: Number.isInteger(value), number: typeof value === "number" };
  return schema.enum ? schema.enum.some((own) => textOf(own) === textOf(value)) : (types[schema.type] ?? true);
};

/**
 * Shows a schema as a form. `changed` is called with the value after each change; `ask` looks up what is typed, of which
 * `left` says how often it may (`null`: it is free, `undefined`: not at all); `name` is the form's title. `names` are those
 * of its places, by their pointers, where the game has others than the schema.
 */
export class FormView {
  constructor({ changed: heard = () => {}, ask = null, left = () => null, name = "your action" } = {}) {
    Object.assign(this, { heard, ask, left, name, schema: {}, value: undefined, suggest: [], names: {} });
    this.totals = make("div", { class: "form-sums", "aria-live": "polite" });
    this.element = make("div", { class: "form", role: "group", "aria-label": name });
  }
  show(schema, value = blank(schema), suggest = [], names = {}, sums = []) {
    Object.assign(this, { schema, value, suggest, names, sums });
    this.draw();
  }
  /** The numbers that follow the form. */
  add() {
    const total = ({ weights }) => Object.entries(weights).reduce((all, [pointer, weight]) => all + weight * (Number(keysOf(pointer).reduce((own, key) => own?.[key], this.value)) || 0), 0);
    this.totals.replaceChildren(...(this.sums ?? []).map((own) => make("p", {}, `${own.label}: `, make("b", {}, String(total(own))), own.of === undefined ? "" : ` of ${own.of}`)));
  }
  nameOf(schema, pointer, name) {
    return this.names[pointer] ?? title(schema, name);
  }
  tabName(schema, pointer) {
    const held = Object.entries(schema.properties ?? {}).map(([name, own]) => this.nameOf(own, inside(pointer, name), name));
    return schema.title ?? ("const" in schema ? word(schema.const) : held.join(" and ") || schema.type);
  }
  /** What a fill changes; form and value are always the same. */
  fill(changes) {
    this.value = filled(this.schema, this.value, changes);
    this.draw();
    this.heard(this.value);
  }
  /** Say what is wrong beside the field that the words begin with (`offer.coal: …`), if there is one; empty: nothing is. */
  refuse(reason) {
    this.element.querySelector(".form-wrong")?.remove();
    for (const own of this.element.querySelectorAll("[aria-invalid]")) own.removeAttribute("aria-invalid"), own.removeAttribute("aria-describedby");
    const path = /^'?([\w.[\]-]+?)'?(?:: | is missing)/.exec(reason)?.[1].replaceAll("[", ".").replaceAll("]", "").split(".");
    const fields = path ? [...this.element.querySelectorAll("[data-pointer]")] : [];
    const pointer = path && path.reduce(inside, "#");
    const found = fields.filter((own) => `${own.dataset.pointer}/`.startsWith(`${pointer}/`));
    if (!found.length) return false;
    for (const own of found) own.setAttribute("aria-invalid", "true"), own.setAttribute("aria-describedby", "form-wrong");
    found[0].closest(found.length > 1 ? "fieldset" : ".form-line, fieldset").after(make("p", { class: "form-wrong", id: "form-wrong", dir: "auto" }, reason.replace(/^[\w.[\]-]+: /, "")));
    return true;
  }
  /** A change by hand; a text being typed is not drawn again. */
  put(pointer, value, isTyped = false) {
    this.value = filled(this.schema, this.value, [value === undefined ? { pointer, clear: true } : { pointer, set: value }]);
    if (!isTyped) this.draw();
    this.add();
    this.heard(this.value);
  }
  /** What stands at a pointer, with what was typed since. */
  now(pointer, drawn) {
    return keysOf(pointer).reduce((own, key) => own?.[key], this.value) ?? drawn;
  }
  draw() {
    const all = () => [...this.element.querySelectorAll("[data-key]")];
    const place = all().indexOf(document.activeElement);
    const focus = all()[place]?.dataset.key;
    this.element.replaceChildren(this.control(this.schema, this.value, "", this.names[""] ?? this.name, true), this.totals);
    this.add();
    if (focus) (all().find((own) => own.dataset.key === focus) ?? all()[place] ?? all().at(-1))?.focus();
  }
  /** What was added has the focus. */
  begin(pointer) {
    const field = [...this.element.querySelectorAll("[data-pointer]")].find((own) => `${own.dataset.pointer}/`.startsWith(`#${pointer}/`));
    field?.focus();
    field?.select?.();
  }
  control(schema, value, pointer, name, isKept) {
    if ("const" in schema) return make("p", {}, `${name}: ${word(schema.const)}`);
    if (schema.anyOf && !("type" in numeric(schema) && schema.anyOf.some((own) => own.type === "string"))) return this.tabs(schema, value, pointer, name, isKept);
    if (schema.enum) return this[schema.enum.length > 5 ? "select" : "radios"](schema.enum.map((own) => [word(own), own]), value, pointer, name, schema);
    if (schema.type === "boolean") return this.radios([["yes", true], ["no", false]], value, pointer, name, schema);
    if ("type" in numeric(schema)) return this.number(schema, value, pointer, name);
    if (schema.type === "string") return this.text(schema, value, pointer, name, isKept);
    if (schema.type === "array") return schema.items?.enum ? this.checks(schema, value ?? [], pointer, name) : this.rows(schema, value ?? [], pointer, name);
    if (schema.type === "object") return this.object(schema, value ?? {}, pointer, name);
    return this.json(schema, value, pointer, name);
  }
  group(name, schema, ...children) {
    return make("fieldset", {}, make("legend", { dir: "auto" }, name), note(schema), children);
  }
  listen(own, kind, heard) {
    own.addEventListener(kind, heard);
    return own;
  }
  button(label, key, pressed, attributes = {}) {
    return button(label, pressed, { "data-key": key, ...attributes });
  }
  tabs(schema, value, pointer, name, isKept) {
    const fitting = schema.anyOf.findIndex((own) => fits(own, value));
    const chosen = Math.max(0, fitting >= 0 ? fitting : schema.anyOf.findIndex((own) => own.type === "object" && isObject(value) && Object.keys(value).every((each) => inner(own, each))));
    const tabs = schema.anyOf.map((own, place) => this.button(this.tabName(own, pointer), `${pointer}#${place}`, () => this.put(pointer, blank(own)), { "aria-pressed": String(place === chosen), "data-tab": `#${pointer}#${place}` }));
    return this.group(name, schema, make("div", { class: "touches-row" }, tabs), this.control(schema.anyOf[chosen], value, pointer, this.tabName(schema.anyOf[chosen], pointer), isKept));
  }
  radios(choices, value, pointer, name, schema) {
    const one = ([label, own], place) => {
      const box = make("input", { type: "radio", name: `form${pointer}`, ...key(pointer, `=${place}`), value: JSON.stringify(own) });
      box.checked = textOf(own) === textOf(value ?? null) && value !== undefined;
      return make("label", { dir: "auto" }, this.listen(box, "change", () => this.put(pointer, own)), label);
    };
    return this.group(name, schema, make("div", { class: "touches-row" }, choices.map(one)));
  }
  select(choices, value, pointer, name, schema, unset = "–", take = (own) => this.put(pointer, own)) {
    const options = choices.map(([label, own]) => make("option", { value: JSON.stringify(own) }, label));
    const own = make("select", { ...key(pointer) }, make("option", {}, unset), options);
    own.selectedIndex = value === undefined ? 0 : 1 + choices.findIndex(([, each]) => textOf(each) === textOf(value));
    return make("label", { class: "form-line", dir: "auto" }, `${name}: `, this.listen(own, "change", () => take(choices[own.selectedIndex - 1]?.[1])), note(schema));
  }
  checks(schema, value, pointer, name) {
    const one = (own, place) => {
      const box = make("input", { type: "checkbox", ...key(pointer, `=${place}`), value: JSON.stringify(own) });
      box.checked = value.some((item) => textOf(item) === textOf(own));
      return make("label", { dir: "auto" }, this.listen(box, "change", () => this.put(pointer, added(schema, value, own))), word(own));
    };
    return this.group(name, schema, make("div", { class: "touches-row" }, schema.items.enum.map(one)));
  }
  number(schema, value, pointer, name) {
    const { minimum, maximum } = numeric(schema);
    const field = make("input", { type: "text", inputmode: "decimal", size: 8, class: maximum - minimum <= SLIDES && "form-short", ...key(pointer), "aria-label": name });
    field.value = value ?? "";
    const read = () => (/^-?\d+(\.\d+)?$/.test(field.value.trim()) ? Number(field.value) : field.value.trim() || undefined);
    this.listen(field, "input", () => this.put(pointer, read(), true));
    const step = (more) => this.button(more > 0 ? "+" : "−", `${pointer}${more}`, () => this.fill([{ pointer, add: more }]), { "aria-label": `${more > 0 ? "one more" : "one less"}: ${name}` });
    const slider = maximum - minimum <= SLIDES && make("input", { type: "range", min: minimum, max: maximum, step: 1, "data-key": `#${pointer}~`, "aria-label": `${name}, as a slider` });
    if (slider) {
      slider.value = value ?? minimum;
      this.listen(slider, "input", () => (this.put(pointer, Number(slider.value), true), (field.value = slider.value)));
      this.listen(field, "input", () => (slider.value = field.value || minimum));
    }
    const bounds = schema.anyOf ? "such as 3 or 2/3" : minimum === undefined ? "" : maximum === undefined || maximum > 1e6 ? `from ${minimum}` : `${minimum} to ${maximum}`;
    return make("div", { class: "form-line" }, make("span", { dir: "auto" }, name), step(-1), slider || "", field, step(1), make("span", { class: "form-note" }, bounds), note(schema));
  }
  text(schema, value, pointer, name, isKept) {
    const isLong = !(schema.maxLength < 200);
    const field = make(isLong ? "textarea" : "input", { ...(isLong ? { rows: 3 } : { type: "text" }), dir: "auto", ...key(pointer), maxlength: schema.maxLength });
    const counter = make("span", { class: "form-note" });
    const count = () => (counter.textContent = "maxLength" in schema ? `${field.value.length} of ${schema.maxLength}` : "");
    field.value = value ?? "";
    count();
    this.listen(field, "input", () => (count(), this.put(pointer, field.value || isKept ? field.value : undefined, true)));
    this.complete(field, pointer, (own) => this.put(pointer, own));
    return make("label", { class: "form-line", dir: "auto" }, `${name}: `, field, counter, note(schema));
  }
  /** What is added to a list. */
  first(schema) {
    return blank(schema) ?? numeric(schema).minimum ?? (numeric(schema).type ? 0 : null);
  }
  rows(schema, value, pointer, name) {
    const move = (from, to) => {
      const items = [...this.now(pointer, value)];
      items.splice(to, 0, ...items.splice(from, 1));
      this.put(pointer, items);
    };
    const row = (item, place) => {
      const [at, own] = [inside(pointer, place), `${schema.items?.title ?? name} ${place + 1}`];
      const up = place ? this.button("Up", `${at}^`, () => move(place, place - 1), { "aria-label": `up: ${own}` }) : "";
      return make("div", { class: "form-row" }, this.control(schema.items ?? {}, item, at, own, true), up, this.button("Remove", `${at}x`, () => this.put(pointer, this.now(pointer, value).filter((_, other) => other !== place)), { "aria-label": `remove ${own}` }));
    };
    const add = value.length < (schema.maxItems ?? Infinity) ? this.button(`Add ${schema.items?.title ?? `to ${name}`}`, `${pointer}+`, () => (this.put(inside(pointer, "-"), this.first(schema.items ?? {})), this.begin(inside(pointer, value.length))), { "data-add": `#${pointer}` }) : "";
    return this.group(name, schema, value.map(row), add);
  }
  object(schema, value, pointer, name) {
    const more = isObject(schema.additionalProperties) ? schema.additionalProperties : null;
    const known = Object.entries(schema.properties ?? {});
    const free = Object.keys(value).filter((own) => !schema.properties?.[own]);
    const lines = known.map(([own, each]) => this.control(each, value[own], inside(pointer, own), this.nameOf(each, inside(pointer, own), own), (schema.required ?? []).includes(own)));
    const others = more ? free.map((own) => make("div", { class: "form-row" }, this.control(more, value[own], inside(pointer, own), own, true), this.button("Remove", `${inside(pointer, own)}x`, () => this.put(inside(pointer, own), undefined), { "aria-label": `remove ${own}` }))) : [];
    return this.group(name, schema, lines, others, more ? this.another(more, pointer, name) : "");
  }
  /** A field for the name of a further entry; once it is there, how much of it is asked next. */
  another(schema, pointer, name) {
    const field = make("input", { type: "text", dir: "auto", "data-key": `#${pointer}?`, "data-name": `#${pointer}`, "aria-label": `name of what is added to ${name}` });
    const add = (own) => {
      if (!own) return;
      this.put(inside(pointer, own), blank(schema) ?? numeric(schema).minimum ?? 0);
      this.begin(inside(pointer, own));
    };
    const typed = () => add(field.value.trim());
    this.complete(field, pointer, add);
    this.listen(field, "keydown", (event) => event.key === "Enter" && (event.preventDefault(), typed()));
    return make("div", { class: "form-line" }, field, this.button("Add", `${pointer}+`, typed, { "aria-label": `add to ${name}`, "data-add": `#${pointer}` }));
  }
  /** What is typed at a place is completed by the look-up that the game names for it. */
  complete(field, pointer, take) {
    const own = this.suggest.find((each) => each.pointer === pointer && this.ask && this.left(each.query) !== undefined);
    if (own) import("./complete.js").then(({ complete }) => complete(field, own, this, take));
  }
  json(schema, value, pointer, name) {
    const field = make("textarea", { class: "form-json", ...key(pointer), "aria-label": `${name} as JSON`, rows: 3 });
    field.value = value === undefined ? "" : JSON.stringify(value);
    this.listen(field, "input", () => {
      try {
        this.put(pointer, JSON.parse(field.value), true);
        field.setCustomValidity("");
      } catch (error) {
        field.setCustomValidity(shown(error.message));
      }
    });
    return make("label", { class: "form-line" }, `${name}: `, field, note(schema));
  }
}
