// Elements of a page. Whatever stands between elements becomes text here: an object out of JSON is never an element,
// what would hide or reorder a line is a mark, and a link leads nowhere but into these pages.
import { html as build } from "./vendor/htm-preact.js";
import { shown } from "./elements.js";

export { render, useCallback, useEffect, useErrorBoundary, useLayoutEffect, useRef, useState } from "./vendor/htm-preact.js";

const OWN = /^(?:\/(?!\/)|#|\?|blob:|data:image\/svg\+xml)/;
const templates = new WeakMap();

/** For each value of a template whether it stands between elements, and whether it is an address. */
function placesOf(strings) {
  let isInside = false;
  return strings.map((part) => {
    for (const sign of part) isInside = sign === "<" || (isInside && sign !== ">");
    return { isText: !isInside, isAddress: /\s(?:href|src)=$/.test(part) };
  });
}

/** A value as it may stand between elements. */
function asText(value) {
  if (value === null || value === undefined || typeof value === "boolean") return null;
  if (Array.isArray(value)) return value.map(asText);
  // JSON knows neither functions nor undefined: these are made by the pages.
  if (typeof value === "function" || (typeof value === "object" && value.constructor === undefined)) return value;
  return shown(value);
}

function asAttribute(value, isAddress) {
  if (isAddress) return OWN.test(String(value)) ? String(value) : undefined;
  return typeof value === "string" ? shown(value) : value;
}

/** The elements of a template. */
export function html(strings, ...values) {
  if (!templates.has(strings)) templates.set(strings, placesOf(strings));
  const places = templates.get(strings);
  return build(strings, ...values.map((value, place) => (places[place].isText ? asText(value) : asAttribute(value, places[place].isAddress))));
}

/** A sentence in which commands stand between backticks. */
export const coded = (text) => String(text ?? "").split("`").map((part, place) => (place % 2 ? html`<code key=${place}>${part}</code>` : part));

export { shown };
export const words = (value) => shown(typeof value === "object" && value !== null ? JSON.stringify(value, null, 2) : value);
/** One or several of a thing: `3 turns`. */
export const many = (count, one, more = `${one}s`) => `${number(count)} ${count === 1 ? one : more}`;
export const number = (value) => Number(value).toLocaleString("en-US");
