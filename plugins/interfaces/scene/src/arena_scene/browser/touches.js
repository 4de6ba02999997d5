// Choosing an action in a scene: touches one after another, menus, buttons, and moves that are typed.

import { button, keysOf, make, shown, textOf } from "./elements.js";

const MANY = 40; // more options are not listed before something is typed

/**
 * Stands beside a `SceneView` and offers what can be touched in it. `choose` is called with the action of an option
 * and its label, `fill` with the changes of a form, `ask` with a look-up and its arguments.
 */
export class TouchView {
  constructor(view, { choose, fill = null, ask = null }) {
    Object.assign(this, { view, choose, fill, ask, entries: [], also: new Map(), path: [] });
    this.say = make("p", { class: "touches-say" });
    const row = (label, more = "") => make("div", { class: `touches-row ${more}`, role: "group", "aria-label": label });
    this.buttons = row("beside the picture");
    this.menu = row("what exactly?", "touches-menu");
    this.asks = row("look up");
    this.field = make("input", { type: "text", class: "touches-field", autocomplete: "off", spellcheck: "false", "aria-label": "type a move" });
    this.list = row("moves");
    this.status = make("p", { class: "touches-status", role: "status" });
    this.typing = make("div", {}, make("label", {}, "Type a move: ", this.field), this.list);
    this.element = make("div", { class: "touches" }, this.say, this.menu, this.buttons, this.status, this.asks, this.typing);
    this.field.addEventListener("input", () => this.#filter());
    this.field.addEventListener("keydown", (event) => event.key === "Enter" && (event.preventDefault(), this.type(this.field.value)));
    this.element.addEventListener("keydown", (event) => this.#key(event));
    view.touched = (id) => this.touch(id);
    view.escaped = () => this.back();
  }
  /** Offer touches as the game writes them, or, where it says nothing, the options `[{action, label}]` alone. */
  show(touches, options = []) {
    const choices = touches?.choices ?? options.map((own) => ({ ...own, path: [] }));
    const fills = touches?.fills ?? [];
    this.entries = [...choices.map((own) => ({ ...own, run: () => this.choose(own.action, own.label) })), ...fills.map((own) => ({ ...own, run: () => (own.query ? this.ask?.(own.query, own.arguments) : this.fill?.(own.do)) }))];
    this.also = new Map(Object.entries(touches?.also ?? {}).flatMap(([name, others]) => others.map((other) => [other, name])));
    this.isDrawn = Boolean(touches);
    this.say.textContent = shown(touches?.say || (this.entries.length ? "It is your turn: choose a move." : ""));
    this.asks.replaceChildren(...(touches?.assist ?? []).map((own) => button(own.title, () => this.ask?.(own.query, own.arguments))));
    this.view.sketch([]);
    this.field.value = this.status.textContent = "";
    this.path = [];
    this.#refresh();
    this.#filter();
  }
  /** What a form holds now: orders among it are drawn on the map. */
  held(value) {
    const at = (pointer) => keysOf(pointer).reduce((own, key) => own?.[key], value);
    this.view.sketch(this.entries.filter((own) => own.kind && own.do.every((change) => textOf(at(change.pointer) ?? null) === textOf(change.set ?? null))).map(({ path, kind }) => ({ path, kind })));
  }
  clear() {
    this.show({ choices: [] });
  }
  /** An element was touched: go on, take back, or begin again with it. */
  touch(id) {
    const name = this.also.get(id) ?? id;
    if (this.#next().has(name)) this.path = [...this.path, name];
    else if (this.path.at(-1) === name) return this.back();
    else if (this.#next([]).has(name)) this.path = [name];
    else return;
    const [ends, isOver] = [this.#ends(), !this.#next().size];
    if (isOver && ends.length === 1) return this.#run(ends[0]);
    this.#refresh();
    if (isOver) this.menu.querySelector("button")?.focus();
  }
  /** Take back what was touched last. */
  back() {
    const last = this.path.at(-1);
    const isInside = this.menu.contains(document.activeElement);
    this.path = this.path.slice(0, -1);
    this.#refresh();
    if (isInside && last) [...this.view.element.querySelectorAll("[data-stop]")].find((own) => own.dataset.element?.split(" ").includes(last))?.focus();
  }
  /** Choose what is called or begins so, or touch the cell of this name; say why where it is not clear. */
  type(text) {
    const wanted = plain(text);
    const found = this.entries.filter((own) => plain(own.label).startsWith(wanted));
    const exact = this.entries.filter((own) => plain(own.label) === wanted || plain(String(own.name ?? "")) === wanted);
    const chosen = exact.length === 1 ? exact[0] : found.length === 1 ? found[0] : null;
    if (chosen && wanted) return (this.field.value = ""), this.#filter(), this.#run(chosen);
    const cell = [...this.view.element.querySelectorAll("[data-name]")].find((own) => plain(own.dataset.name) === wanted);
    const id = cell?.dataset.element.split(" ").find((own) => this.#next([]).has(this.also.get(own) ?? own));
    if (id && !found.length) return (this.path = []), this.touch(id);
    const told = found.slice(0, 5).map((own) => own.label).join("; ");
    this.status.textContent = shown(!wanted ? "Type the name of a move." : found.length ? `${found.length} moves begin so: ${told}${found.length > 5 ? "; …" : ""}` : `There is no move called “${text.trim()}”.`);
  }
  #ends(path = this.path) {
    return this.entries.filter((own) => own.path.length === path.length && path.every((id, place) => own.path[place] === id));
  }
  /** What can be touched after a path, each element with the entries that go on with it. */
  #next(path = this.path) {
    const found = new Map();
    for (const own of this.entries) {
      if (own.path.length <= path.length || !path.every((id, place) => own.path[place] === id)) continue;
      const id = own.path[path.length];
      found.set(id, [...(found.get(id) ?? []), own]);
    }
    return found;
  }
  #run(entry) {
    this.path = [];
    this.status.textContent = shown(entry.label);
    this.#refresh();
    entry.run();
  }
  #refresh() {
    const [next, ends, last] = [this.#next(), this.#ends(), this.path.at(-1)];
    const offered = new Map([...next].map(([id, own]) => [id, own.length === 1 ? own[0].label : `${own.length} moves`]));
    for (const [other, name] of this.also) if (offered.has(name)) offered.set(other, offered.get(name));
    if (last && !offered.has(last)) offered.set(last, "take back");
    const starts = [...this.#next([])].filter(([, own]) => own.some((each) => each.path.length > 1)).flatMap(([id]) => [id, ...[...this.also].filter(([, name]) => name === id).map(([other]) => other)]);
    this.view.offer(offered, this.path, starts);
    const told = (own) => button(next.size && this.path.length ? `Done: ${own.label}` : own.label, () => this.#run(own));
    const isStarted = this.path.length > 0;
    this.menu.replaceChildren(...(isStarted ? [...ends.map(told), button("Take back", () => this.back())] : []));
    this.menu.hidden = !isStarted;
    this.buttons.replaceChildren(...(this.isDrawn ? this.#ends([]).map((own) => button(own.label, () => this.#run(own))) : []));
    if (isStarted) this.status.textContent = shown(next.size ? `Go on, or take back: ${next.size} can follow.` : "Which one?");
  }
  #filter() {
    const wanted = plain(this.field.value);
    const found = this.entries.filter((own) => plain(own.label).includes(wanted));
    const isShown = wanted || (!this.isDrawn && found.length <= MANY);
    this.list.replaceChildren(...(isShown ? found.slice(0, MANY).map((own) => button(own.label, () => this.#run(own))) : []));
    this.typing.hidden = this.entries.every((own) => own.do || own.query);
  }
  #key(event) {
    if (event.key === "Escape" && this.path.length) this.back();
    const group = event.target.closest?.(".touches-row");
    if (group && /^[1-9]$/.test(event.key)) group.children[event.key - 1]?.click();
  }
}

const plain = (text) => text.trim().toLowerCase().replace(/\s+/g, " ");
