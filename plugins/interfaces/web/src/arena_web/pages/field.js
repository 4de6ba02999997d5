// Fields with their names, what they mean, and what is wrong with them; and settings of plugins, folded.
import { html, useRef, useState } from "./html.js";
import { Later } from "./states.js";

let count = 0;

/** A field; `children` makes the control of the attributes that tie it to its texts. */
export function Field({ label, hint = null, wrong = [], children }) {
  const id = useRef(null);
  id.current ??= `field-${(count += 1)}`;
  const told = [hint && `${id.current}-hint`, wrong.length > 0 && `${id.current}-wrong`].filter(Boolean).join(" ");
  return html`<div class="field"><label for=${id.current}>${label}</label>
    ${children({ id: id.current, "aria-describedby": told || null, "aria-invalid": wrong.length > 0 ? "true" : null })}
    ${hint && html`<p class="form-note" id=${`${id.current}-hint`}>${hint}</p>`}
    ${wrong.length > 0 && html`<p class="form-wrong" id=${`${id.current}-wrong`} dir="auto">${wrong.map(({ what }) => what).join("; ")}</p>`}</div>`;
}

/** A field in which one of several is chosen: `[value, words]`. */
export function Choice({ label, hint, wrong, value, options, put }) {
  return html`<${Field} label=${label} hint=${hint} wrong=${wrong}>${(tied) => html`<select ...${tied} value=${value} onChange=${(event) => put(event.target.value)}>${options.map(([own, words]) => html`<option key=${own} value=${own} selected=${own === value}>${words}</option>`)}</select>`}<//>`;
}

/** A field in which a text is typed, or a number. */
export function Typed({ label, hint, wrong, value, put, ...more }) {
  return html`<${Field} label=${label} hint=${hint} wrong=${wrong}>${(tied) => html`<input type="text" autocomplete="off" ...${tied} ...${more} value=${value} onInput=${(event) => put(event.target.value)} />`}<//>`;
}

/** The settings of a plugin, of which the first ones stand on the fold. Give it a `key`: the form reads `value` once. */
export function Folded({ schema, value, change, label, wrong }) {
  const [isOpen, open] = useState(Object.keys(value).length > 0);
  const known = Object.entries(schema.properties ?? {});
  if (!known.length && !wrong.length) return null;
  const now = known.map(([name, own]) => [name, value[name] ?? own.default]).filter(([, own]) => ["string", "number", "boolean"].includes(typeof own) && own !== "");
  const told = now.slice(0, 4).map(([name, own]) => `${name} ${own === true ? "yes" : own === false ? "no" : own}`).join(", ");
  const isShown = isOpen || wrong.length > 0;
  return html`<details class="fold" open=${isShown} onToggle=${(event) => open(event.target.open)}><summary>Settings<span class="unseen"> of ${label}</span><span class="small">${told}${known.length > 4 && ", …"}</span></summary>
    ${isShown && html`<div class="folded"><${Later} load=${() => import("./settings_form.js")} schema=${schema} value=${value} change=${change} label=${`settings of ${label}`} wrong=${wrong} /></div>`}</details>`;
}
