// What a look-up found, readable, with the actions that it suggests.
import { html } from "./html.js";
import { Wrong } from "./states.js";

const MOST = 200; // entries of an answer that are shown

const isPlain = (value) => value === null || typeof value !== "object";

/** A value out of JSON, readable. */
function Told({ value, depth = 0 }) {
  if (isPlain(value)) return html`<span dir="auto">${value ?? "–"}</span>`;
  const entries = Object.entries(value).map(([name, own]) => [name.replaceAll("_", " "), own]);
  const rest = entries.length > MOST ? `and ${entries.length - MOST} more` : "";
  const first = entries.slice(0, MOST);
  const isList = Array.isArray(value);
  if (depth > 5 || first.every(([, own]) => isPlain(own))) return html`<span dir="auto">${[...first.map(([name, own]) => `${isList ? "" : `${name}: `}${isPlain(own) ? (own ?? "–") : JSON.stringify(own)}`), rest].filter(Boolean).join(", ") || "none"}</span>`;
  const inner = (own) => html`<${Told} value=${own} depth=${depth + 1} />`;
  return html`<div>${isList ? html`<ul class="answers">${first.map(([name, own]) => html`<li key=${name}>${inner(own)}</li>`)}</ul>` : html`<dl class="pairs">${first.map(([name, own]) => [html`<dt key=${name}>${name}</dt>`, html`<dd key=${`${name}:`}>${inner(own)}</dd>`])}</dl>`}${rest}</div>`;
}

export default function Found({ found, canAct, use }) {
  return html`${found.error && html`<${Wrong} error=${found.error} />`}
    ${found.illegal && html`<p class="note">${found.illegal}</p>`}
    ${(found.actions ?? []).length > 0 && html`<ul class="uses">${found.actions.slice(0, MOST).map((own, row) => html`<li key=${row}><span class="grow" dir="auto">${own.label}</span><button type="button" disabled=${!canAct} aria-label=${`use: ${own.label}`} onClick=${() => use(own.action, own.label)}>Use</button></li>`)}</ul>`}
    ${"answer" in found && html`<${Told} value=${found.answer} />`}`;
}
