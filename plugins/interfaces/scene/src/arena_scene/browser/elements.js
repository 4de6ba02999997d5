// Elements of pages, made without markup: what comes from anywhere is text in them.

const HIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g;

/** The keys of a JSON pointer. */
export const keysOf = (pointer) => pointer.split("/").slice(1).map((key) => key.replaceAll("~1", "/").replaceAll("~0", "~"));

/** A value as text that is the same however its keys are ordered. */
export const textOf = (value) => JSON.stringify(value, (_, own) => (own && typeof own === "object" && !Array.isArray(own) ? Object.fromEntries(Object.keys(own).sort().map((name) => [name, own[name]])) : own));

/** A text as it may be shown: what would hide or reorder it is a mark. */
export const shown = (value) => String(value ?? "").replace(HIDDEN, "\ufffd");

export function make(name, attributes = {}, ...children) {
  return dressed(document.createElement(name), attributes, children);
}
export function dressed(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes))
    if (value !== undefined && value !== null && value !== "" && value !== false) element.setAttribute(name, shown(value));
  for (const child of children.flat(4))
    if (child !== undefined && child !== null && child !== "") element.append(child.nodeType ? child : shown(child));
  return element;
}

/** A button with a word on it. */
export function button(label, pressed, attributes = {}) {
  const own = make("button", { type: "button", dir: "auto", ...attributes }, label);
  own.addEventListener("click", pressed);
  return own;
}
