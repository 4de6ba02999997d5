// Completing what is typed by a look-up: a combobox whose list has the names that were found.

import { button, make, shown } from "./elements.js";

const MOST = 40; // names that are listed
let count = 0;

const texts = (answer) => (typeof answer === "string" ? [answer] : answer !== null && typeof answer === "object" ? Object.values(answer).flatMap(texts) : []);

/**
 * Complete a field of text by a look-up `{query, argument}`. `form.ask` makes it, and `form.left` says how many may still be
 * made, `null` where that is free: then it is made while one types, else by a button. `take` is called with the name that is
 * chosen.
 */
export function complete(field, own, form, take) {
  const left = () => form.left(own.query);
  const id = `names-${++count}`;
  const list = make("ul", { id, role: "listbox", "aria-label": field.ariaLabel || "names" });
  const status = make("span", { class: "form-note", role: "status" });
  const ask = button("", () => asked());
  let [names, isAsking, isStale, at] = [[], false, false, -1];
  for (const [name, value] of Object.entries({ role: "combobox", "aria-autocomplete": "list", "aria-controls": id, autocomplete: "off", spellcheck: "false" })) field.setAttribute(name, value);

  const walk = (to) => {
    at = to;
    [...list.children].forEach((own, place) => own.setAttribute("aria-selected", String(place === at)));
    if (at < 0) field.removeAttribute("aria-activedescendant");
    else field.setAttribute("aria-activedescendant", list.children[at].id), list.children[at].scrollIntoView({ block: "nearest" });
  };
  const open = (isOpen) => {
    list.hidden = !(isOpen && names.length && document.activeElement === field);
    field.setAttribute("aria-expanded", String(!list.hidden));
    walk(-1);
  };
  const offer = (found, words = "") => {
    names = found.slice(0, MOST);
    const one = (name, place) => {
      const own = make("li", { role: "option", id: `${id}-${place}`, dir: "auto" }, name);
      own.addEventListener("click", () => taken(name));
      return own;
    };
    list.replaceChildren(...names.map(one));
    status.textContent = shown(words);
    open(true);
  };
  const taken = (name) => (offer([]), take(name));
  const priced = () => {
    const rest = left();
    ask.hidden = rest === null;
    ask.disabled = rest === 0;
    ask.textContent = `Find names (${rest} left)`;
  };
  const asked = async () => {
    const text = field.value.trim();
    // One question at a time: what is typed meanwhile is asked once that one is answered.
    if (isAsking) return void (isStale = left() === null);
    if (!text) return offer([], left() === null ? "" : "type how it begins");
    isAsking = true;
    try {
      const found = [...new Set(texts(await form.ask(own.query, { [own.argument]: text })))];
      if (left() !== null) field.focus();
      offer(found, found.length ? `${found.length} found: arrow keys, then Enter` : `nothing is called like “${text}”`);
    } catch (error) {
      offer([], error.message);
    }
    isAsking = false;
    priced();
    if (isStale) (isStale = false), asked();
  };
  field.addEventListener("input", () => (left() === null ? asked() : offer([])));
  field.addEventListener("blur", () => open(false));
  // Before the form, which takes Enter for what is typed.
  field.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && names.length) {
      const from = list.hidden ? -1 : at;
      open(true);
      walk(step > 0 ? (from + 1) % names.length : (from < 1 ? names.length : from) - 1);
    } else if (event.key === "Enter" && at >= 0) {
      event.stopImmediatePropagation();
      taken(names[at]);
    } else if (event.key === "Escape" && !list.hidden) open(false);
    else return;
    event.preventDefault();
  }, true);
  // A press on a name leaves the focus where it is, or the list would be gone before it counts.
  list.addEventListener("pointerdown", (event) => event.preventDefault());
  list.addEventListener("mousedown", (event) => event.preventDefault());
  open(false);
  priced();
  field.parentNode.after(make("div", { class: "form-line" }, ask, status), list);
}
