// The form of a benchmark file, and of any plugin's parameters in it: what is not written shows its default.
import { FormView, inside, isObject, key, keysOf } from "./form.js";
import { make, textOf } from "./elements.js";
import { blame } from "./form_faults.js";
import { NONE, begun, bounds, changed, chosen, isOf, keyed, read, spelt } from "./schemas.js";

const FEW = 1; // settings that nobody wrote are folded where there are more of them
const FEW_ENTRIES = 4; // where there are more under free names, each is folded
const NAMES = { number: "number", text: "text", secret: "key", any: "any value", list: "list", tuple: "list", map: "by name", table: "settings", plugin: "by its name" };
const NUMBER = /^-?\d+(\.\d+)?(e[+-]?\d+)?$/i;
const numberOf = (text) => (NUMBER.test(text) ? Number(text) : text);
const plainWord = (value) => (value === true ? "yes" : value === false ? "no" : value === null ? "none" : typeof value === "string" ? value : JSON.stringify(value));

/** A value of any kind as one types it: JSON where it is JSON, else a text. */
function typed(value) {
  if (value === undefined) return "";
  return typeof value === "string" && parsed(value) === value && value.trim() === value ? value : JSON.stringify(value);
}
function parsed(text) {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}
const isNumeric = (own) => own.kind === "number";
const isLine = (value) => typeof value === "string" && value !== "" && !value.includes("\n");

let made = 0; // fields, on all forms of a page

/**
 * Shows a value of a schema with all that may be written in it. `changed` is called with the value, and with the place and
 * the value that were put there; `sections` makes parts with headings of the topmost keys, `[{title, names, isFolded}]`;
 * without them, `front` are those that are never folded.
 */
export class SchemaForm extends FormView {
  constructor({ sections = null, front = [], ...more }) {
    super(more);
    Object.assign(this, { sections, front, places: new Map(), open: new Set(), closed: new Set(), problems: [] });
    this.element.classList.add("schema-form");
  }
  put(pointer, value, isTyped = false) {
    this.value = changed(this.value, keysOf(pointer), value, this.places);
    if (!isTyped) this.draw();
    this.heard(this.value, { pointer, value });
  }
  draw() {
    super.draw();
    this.blame(this.problems);
  }
  first(schema) {
    return begun(this.schema, schema);
  }

  /** Say next to each field what is wrong with it, `[{path, what}]`; what is folded away is opened. */
  blame(problems) {
    this.problems = problems;
    blame(this, problems);
  }
  /** A part that is made once it is opened, and stays open. */
  fold(name, held, pointer, fill, attributes = {}) {
    const own = make("details", { class: "fold", ...attributes }, make("summary", { "data-key": `#${pointer}…` }, name));
    Object.assign(own, { held: held.map((each) => `#${each}`), pointer, fill });
    if (this.open.has(pointer)) this.unfold(own);
    own.addEventListener("toggle", () => (own.open ? this.unfold(own) : (this.open.delete(pointer), this.closed.add(pointer))));
    return own;
  }
  unfold(own) {
    this.open.add(own.pointer);
    this.closed.delete(own.pointer);
    if (!own.isFilled) own.append(make("div", { class: "folded form" }, own.fill()));
    own.isFilled = true;
    own.open = true;
  }
  /** What was added has the focus, also where all of its settings are folded. */
  begin(pointer) {
    const fold = [...this.element.querySelectorAll("details")].find((own) => own.pointer === `${pointer}…`);
    if (fold && !fold.parentElement.querySelector("[data-pointer]")) this.unfold(fold);
    super.begin(pointer);
  }
  control(schema, value, pointer, name, isKept) {
    const own = read(this.schema, schema);
    if (!pointer && this.sections) return this.page(own, value ?? {});
    if (own.isNullable && own.default !== null && own.kind !== "enum") return this.alternatives({ ...own, branches: [...(own.branches ?? [{ ...own, isNullable: false, description: "" }]), NONE] }, value, pointer, name, isKept, isKept ? undefined : own.default);
    const fallback = !isKept && own.default !== null ? own.default : undefined;
    const shown = value === null && own.isNullable && own.default === null ? undefined : value;
    this.places.set(pointer, { fresh: fallback, isSpare: !isKept });
    switch (own.kind) {
      case "none":
        return "";
      case "enum":
        return this.enumeration(own, shown, pointer, name, isKept, fallback);
      case "number":
      case "text":
      case "secret":
      case "any":
        return this.line(own, shown, pointer, name, isKept, fallback);
      case "list":
        return this.list(own, shown ?? fallback ?? [], pointer, name);
      case "tuple":
        return this.tuple(own, shown ?? fallback ?? [], pointer, name);
      case "map":
        return this.map(own, shown ?? fallback ?? {}, pointer, name);
      case "table":
        return this.group(name, { ...own, pointer }, this.fields(own, isObject(shown) ? shown : {}, pointer));
      case "plugin":
        return this.plugin(own, shown, pointer, name, isKept);
      case "union":
        return this.alternatives(own, shown, pointer, name, isKept, fallback);
      default:
        return this.json(own, value, pointer, name);
    }
  }
  group(name, schema, ...children) {
    const made = super.group(name, schema, ...children);
    if ("pointer" in schema) made.dataset.at = `#${schema.pointer}`;
    return made;
  }
  page(own, value) {
    const merged = { ...own, properties: { ...own.properties, ...own.else?.properties } };
    const taken = new Set(this.sections.flatMap((each) => each.names));
    const rest = Object.keys({ ...merged.properties, ...value }).filter((name) => !taken.has(name) && !taken.has(name.replaceAll("_", "-")));
    return make("div", { class: "sections" }, this.sections.map(({ title, names, isFolded }) => {
      const listed = isFolded ? [...names, ...rest] : names;
      const held = Object.fromEntries(Object.entries(value).filter(([name]) => listed.includes(name) || listed.includes(name.replaceAll("_", "-"))));
      const part = { ...merged, properties: Object.fromEntries(listed.filter((name) => name in merged.properties).map((name) => [name, merged.properties[name]])), needed: own.else?.required ?? [], isWhole: true };
      const fill = () => this.fields(part, held, "");
      const at = names.length === 1 ? { "data-at": `#/${names[0]}` } : {};
      if (isFolded) return this.fold(title, listed.map((name) => `/${name}`).concat(Object.keys(held).map((name) => `/${name}`)), "", fill, { class: "fold panel" });
      return make("section", { class: "panel", "aria-label": title, ...at }, make("h2", {}, title), fill());
    }));
  }
  /** The fields of a table: what is needed or written first, the rest folded; what it does not know is kept and shown. */
  fields(own, value, pointer) {
    const names = Object.keys(own.properties).filter((name) => name !== "use");
    const at = (name) => inside(pointer, spelt(value, name));
    const field = (name) => this.control(own.properties[name], value[spelt(value, name)], at(name), spelt(value, name), own.needed.includes(name));
    const foldAt = `${pointer}…`;
    const isWhole = own.isWhole || keysOf(pointer).length === 1;
    const isFirst = (name) => isWhole || own.needed.includes(name) || (!pointer && this.front.includes(name)) || (spelt(value, name) in value && !this.open.has(foldAt));
    const [first, later] = [names.filter(isFirst), names.filter((name) => !isFirst(name))];
    const isShort = later.length <= FEW;
    const strange = Object.keys(value).filter((name) => name !== "use" && !keyed(own, name));
    const title = `${first.length ? `${later.length} more settings` : `${later.length} settings`}: ${later.slice(0, 3).join(", ")}${later.length > 3 ? ", …" : ""}`;
    return [
      ...(isShort ? names : first).map(field),
      ...strange.map((name) => this.removable({}, value[name], inside(pointer, name), name)),
      isShort ? "" : this.fold(title, later.map(at), foldAt, () => later.map(field)),
    ];
  }
  plugin(own, value, pointer, name, isKept) {
    const use = typeof value === "string" ? value : value?.use;
    const choices = own.names.map((each) => [each.name, each.name]);
    if (use !== undefined && !own.tables.has(use)) choices.push([use, use]);
    const summary = own.names.find((each) => each.name === use)?.summary ?? own.description ?? "";
    const take = (next) => this.put(pointer, next === undefined ? undefined : chosen(this.schema, own, next, this.now(pointer, value)));
    const isPart = isObject(value) && use === undefined; // of an entry that another file begins
    const unset = isPart ? "not said here" : isKept ? "choose one" : own.isNullable ? "none" : "default";
    const line = this.choice(choices, use, inside(pointer, "use"), "use", unset, summary, take);
    const table = own.tables.has(use) ? read(this.schema, own.tables.get(use)) : isPart ? this.fitting(own, value) : null;
    const strange = isObject(value) ? { properties: own.other.properties ?? {}, needed: [] } : null;
    const shown = table?.properties ? table : strange;
    return this.group(name, { pointer }, line, shown ? this.fields(shown, isObject(value) ? value : {}, pointer) : "");
  }
  /** What an entry without a plugin's name is taken for: the first plugin that has all its settings, none of them needed. */
  fitting(own, value) {
    const found = [...own.tables.values()].map((each) => read(this.schema, each)).find((each) => each.properties && Object.keys(value).every((name) => keyed(each, name)));
    return found && { ...found, needed: [] };
  }
  /** A line: the name of a field, the field, and what is said of it. */
  noted(name, field, ...notes) {
    const told = notes.filter(Boolean).join(" · ");
    const id = `form-field-${(made += 1)}`;
    field.id = id;
    if (told) field.setAttribute("aria-describedby", (field.dataset.note = `${id}-note`));
    return make("div", { class: "form-line" }, make("label", { for: id, dir: "auto" }, name), field, told && make("span", { class: "form-note", id: `${id}-note`, dir: "auto" }, told));
  }
  enumeration(own, value, pointer, name, isKept, fallback) {
    const values = own.isNullable && own.default !== null ? [...own.values, null] : own.values;
    const isKnown = value === undefined || values.some((each) => textOf(each) === textOf(value));
    const choices = [...values, ...(isKnown ? [] : [value])].map((each) => [plainWord(each), each]);
    const unset = isKept ? "choose one" : `default: ${plainWord(fallback ?? null)}`;
    return this.choice(choices, value, pointer, name, unset, own.description);
  }
  choice(choices, value, pointer, name, unset, note, take) {
    return this.noted(name, this.select(choices, value, pointer, name, {}, unset, take).querySelector("select"), note);
  }
  /** A field of one line, which grows with a text of several. */
  line(own, value, pointer, name, isKept, fallback) {
    const isText = own.kind === "text";
    const [told, heard] = { number: [String, numberOf], text: [String, String], secret: [(each) => String(each).replace(/^\$\{(.*)\}$/, "$1"), (text) => `\${${text}}`], any: [typed, parsed] }[own.kind];
    const field = make(isText ? "textarea" : "input", { ...(isText ? { rows: 1 } : { type: "text" }), ...key(pointer), dir: "auto", autocomplete: "off", spellcheck: "false", inputmode: own.kind === "number" ? "decimal" : "", placeholder: fallback === undefined ? "" : told(fallback) });
    field.value = value === undefined ? "" : typeof value === "object" ? typed(value) : told(value);
    const put = () => {
      const text = isText ? field.value : field.value.trim();
      if (own.kind === "secret" && !/^[A-Z_][A-Z0-9_]*$|^$/.test(text)) return field.setCustomValidity("the name of a key in capitals, not the key itself"), void field.reportValidity();
      field.setCustomValidity("");
      return this.put(pointer, text === "" ? (isKept && own.kind !== "number" && own.kind !== "secret" ? "" : undefined) : heard(text), true);
    };
    this.listen(field, "input", put);
    const more = own.kind === "secret" ? "the name of a key, such as OPENAI_API_KEY; the key itself is asked for at Start" : bounds(own);
    return this.noted(name, field, own.description, more);
  }
  list(own, value, pointer, name) {
    const items = read(this.schema, own.items ?? {});
    const held = Array.isArray(value) ? value : [value];
    if (items.kind === "enum" && held.every((each) => isOf(items, each))) return this.checks({ ...own, pointer, items: { enum: items.values } }, held, pointer, name);
    const isWords = items.kind === "text" && held.every(isLine);
    if (isWords || (isNumeric(items) && held.every((each) => typeof each === "number"))) return this.several(own, held, pointer, name, isWords);
    if (items.kind === "plugin") return this.group(name, { ...own, pointer }, held.map((item, place) => this.removable(own.items, item, inside(pointer, place), `${name} ${place + 1}`)), this.another(own.items, pointer, name, held));
    return this.rows({ ...own, pointer, items: own.items ?? {} }, held, pointer, name);
  }
  removable(schema, value, at, name) {
    return make("div", { class: "form-row" }, this.control(schema, value, at, name, true), this.button("Remove", `${at}x`, () => this.put(at, undefined), { "aria-label": `remove ${name}` }));
  }
  /** A list of words or numbers as one text: a word a line, numbers with commas between. */
  several(own, value, pointer, name, isWords) {
    const field = make("textarea", { ...key(pointer), rows: Math.min(Math.max(1, value.length), 8), dir: "auto", autocomplete: "off", spellcheck: "false" });
    field.value = value.join(isWords ? "\n" : ", ");
    const read = () => (isWords ? field.value.split("\n").filter((each) => each !== "") : field.value.split(/[\s,]+/).filter(Boolean).map(numberOf));
    this.listen(field, "input", () => this.put(pointer, read().length || own.default?.length || !this.places.get(pointer).isSpare ? read() : undefined, true));
    return this.noted(name, field, own.description, isWords ? "one a line" : "numbers, with commas between");
  }
  tuple(own, value, pointer, name) {
    const items = own.prefixItems.map((each) => read(this.schema, each));
    const held = Array.isArray(value) ? value : [];
    if (items.every(isNumeric) && held.every((each) => typeof each === "number")) return this.several(own, held, pointer, name, false);
    this.places.set(pointer, { ...this.places.get(pointer), fresh: held.length ? held : items.map((each) => begun(this.schema, each)) });
    return this.group(name, { ...own, pointer }, make("div", { class: "touches-row" }, own.prefixItems.map((each, place) => this.control(each, held[place], inside(pointer, place), String(place + 1), true))));
  }
  map(own, value, pointer, name) {
    const held = isObject(value) ? value : {};
    const items = isObject(own.additionalProperties) ? own.additionalProperties : {};
    return this.group(name, { ...own, pointer }, Object.keys(held).map((each) => this.entry(items, held[each], pointer, each, held)), this.another(items, pointer, name, held));
  }
  /** What stands under a free name, which may be changed, with all of it; what has settings may be folded. */
  entry(schema, value, pointer, name, all) {
    const at = inside(pointer, name);
    const field = make("input", { type: "text", dir: "auto", autocomplete: "off", spellcheck: "false", "data-key": `#${at}@`, "aria-label": `name of ${name}` });
    field.value = name;
    const rename = () => {
      const next = field.value.trim();
      if (next === name) return undefined;
      field.setCustomValidity(!next ? "it needs a name" : next in all ? `there is already a ${next}` : "");
      if (!field.reportValidity()) return undefined;
      this.put(pointer, Object.fromEntries(Object.entries(this.now(pointer, all)).map(([each, own]) => [each === name ? next : each, own])));
      return this.named(inside(pointer, next));
    };
    this.listen(field, "change", rename);
    const remove = this.button("Remove", `${at}x`, () => this.put(at, undefined), { "aria-label": `remove ${name}` });
    const fill = () => make("div", { class: "form-entry" }, make("div", { class: "form-line" }, make("span", { "aria-hidden": "true" }, "name"), field, remove), this.control(schema, value, at, name, true));
    if (!["plugin", "table"].includes(read(this.schema, schema).kind)) return fill();
    const fold = this.fold([name, value?.use ?? (typeof value === "string" ? value : "")].filter(Boolean).join(": "), [at], `${at}@`, fill);
    if (Object.keys(all).length <= FEW_ENTRIES && !this.closed.has(fold.pointer)) this.unfold(fold);
    return fold;
  }
  /** Go to the name under which something stands. */
  named(pointer) {
    const fold = [...this.element.querySelectorAll("details")].find((own) => own.pointer === `${pointer}@`);
    if (fold) this.unfold(fold);
    const field = [...this.element.querySelectorAll("[data-key]")].find((own) => own.dataset.key === `#${pointer}@`);
    field?.focus();
    field?.select();
  }
  /** What is added to a list or under a free name: a plugin by its name, else anything by a name that is typed. */
  another(schema, pointer, name, held = {}) {
    const own = read(this.schema, schema);
    const isList = Array.isArray(held);
    const [at, isPlugin] = [`#${pointer}?`, own.kind === "plugin"];
    const label = isPlugin ? `what to add to ${name}` : `name of what is added to ${name}`;
    const field = isPlugin ? make("select", { "data-key": at, "data-name": `#${pointer}`, "aria-label": label }, make("option", { value: "" }, "choose one"), own.names.map((each) => make("option", { value: each.name }, each.name))) : make("input", { type: "text", dir: "auto", "data-key": at, "data-name": `#${pointer}`, "aria-label": label });
    const add = () => {
      const word = field.value.trim();
      if (!word) return field.focus();
      let free = word;
      for (let more = 2; !isList && free in held; more++) free = `${word}-${more}`;
      const place = inside(pointer, isList ? held.length : free);
      this.put(isList ? inside(pointer, "-") : place, isPlugin ? chosen(this.schema, own, word) : begun(this.schema, schema));
      return isList || !isPlugin ? this.begin(place) : this.named(place);
    };
    this.listen(field, "keydown", (event) => event.key === "Enter" && (event.preventDefault(), add()));
    return make("div", { class: "form-add" }, field, this.button("Add", `${pointer}+`, add, { "aria-label": `add to ${name}`, "data-add": `#${pointer}` }));
  }
  /** One of several kinds of value, each behind a button; where none is chosen the default holds. */
  alternatives(own, value, pointer, name, isKept, fallback) {
    const branches = own.branches.map((each) => read(this.schema, each));
    const held = value === undefined ? fallback : value;
    const chosenAt = held === undefined ? (isKept ? 0 : -1) : branches.findIndex((each) => isOf(each, held));
    const titles = branches.map((each) => each.title ?? (each.kind === "enum" ? each.values.map(plainWord).join(" or ") : each.kind === "list" && !each.title ? "list" : NAMES[each.kind]));
    const tab = (title, place, next) => this.button(title, `${pointer}#${place}`, () => this.put(pointer, next()), { "aria-pressed": String(place === (value === undefined && !isKept ? -1 : chosenAt)), "data-tab": `#${pointer}#${place}` });
    const tabs = own.branches.map((each, place) => tab(titles[place], place, () => begun(this.schema, each)));
    if (!isKept) tabs.unshift(tab("default", -1, () => undefined));
    const body = chosenAt >= 0 && (value !== undefined || isKept) ? make("div", { class: "form-alternative" }, this.control(own.branches[chosenAt], value, pointer, name, true)) : value === undefined ? (fallback === undefined ? "" : make("p", { class: "form-note" }, typed(fallback))) : this.control({}, value, pointer, name, true);
    this.places.set(pointer, { fresh: fallback, isSpare: !isKept });
    return this.group(name, { ...own, pointer }, make("div", { class: "touches-row" }, tabs), body);
  }
}
