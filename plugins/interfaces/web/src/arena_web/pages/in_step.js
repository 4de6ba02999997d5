// A benchmark as a form and as YAML, kept in step: what is changed on one side is sent, and the answer changes the other.
import { keysOf } from "./form.js";
import { changed } from "./schemas.js";

const PAUSE_MS = 400;
const SILENT_MS = 3000; // until a server that is silent is asked again
const DRAFT = "arena.new.benchmark";
const KEYED = /api[-_]?key/i;
const isSecret = (name, value) => KEYED.test(name) && typeof value === "string" && !value.startsWith("${");

/** What is kept of a text: a key that somebody wrote into it is not. */
const withoutKeys = (text) => text.replace(/^(.*?api[-_]?key["']?\s*:\s*)(?!\$\{|null\b|~)[^\s,}#].*$/gim, "$1");

/** What was written before the page was loaded again; null where nothing was. */
export function draft() {
  try {
    return JSON.parse(localStorage.getItem(DRAFT));
  } catch {
    return null;
  }
}

/**
 * Holds both sides. `ask` sends one side and gives the answer of `POST /new/check`; `told` is called whenever something is
 * different, `show` with the value that the form is to show.
 */
export class InStep {
  constructor({ ask, told, show }) {
    Object.assign(this, { ask, told, show, text: "", value: {}, ahead: "", waiting: [], answer: null, checked: null, error: null, lost: null, isReadable: true, version: 0, timer: null });
  }
  /** Somebody wrote in the text; `isAtOnce` for a text that came whole. */
  written(text, isAtOnce = false) {
    this.text = text;
    this.ahead = "text";
    this.#soon(isAtOnce);
  }
  /** Somebody changed the form. What is changed while a text is on its way is changed again in what that text says. */
  formed(value, change) {
    this.value = value;
    if (this.ahead === "text") this.waiting.push(change);
    else this.ahead = "form";
    this.#soon(false);
  }
  /** Ask again. */
  check() {
    this.#soon(true);
  }
  #soon(isAtOnce) {
    this.version += 1;
    this.#keep();
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.#send(), isAtOnce ? 0 : PAUSE_MS);
    this.told();
  }
  #keep() {
    const kept = { text: withoutKeys(this.text), ...(this.ahead === "form" ? { benchmark: this.value } : {}) };
    localStorage.setItem(DRAFT, JSON.stringify(kept, (name, value) => (isSecret(name, value) ? undefined : value)));
  }
  async #send() {
    const [version, side] = [this.version, this.ahead];
    let [answer, error] = [null, null];
    try {
      answer = await this.ask(side === "form" ? { benchmark: this.value } : { text: this.text });
    } catch (found) {
      error = found;
    }
    if (version !== this.version) return;
    this.error = error;
    if (answer) this.#take(answer, side);
    else if (error.status === 0) this.timer = setTimeout(() => this.#send(), SILENT_MS);
    this.told();
  }
  #take(answer, side) {
    this.answer = answer;
    this.checked = answer.text;
    this.ahead = "";
    if (side === "form") {
      if (/(^|\s)#/m.test(this.text) && !/(^|\s)#/m.test(answer.text)) this.lost = this.text;
      this.text = answer.text;
    } else {
      this.isReadable = answer.benchmark !== null;
      if (this.isReadable) this.#read(answer.benchmark);
    }
    this.#keep();
  }
  #read(benchmark) {
    const changes = this.waiting.splice(0);
    this.value = changes.reduce((value, own) => changed(value, keysOf(own.pointer), own.value), benchmark);
    this.show(this.value);
    if (changes.length) {
      this.ahead = "form";
      this.#soon(true);
    }
  }
}
