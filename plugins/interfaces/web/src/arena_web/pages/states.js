// What every page has: what is said while something loads, is empty or went wrong; panels; what is said aloud.
import { coded, html, shown, useEffect, useState } from "./html.js";

/** Grey bars where something will stand. */
export function Bars({ rows = 3, label = "loading" }) {
  return html`<div class="bars" role="status"><span class="unseen">${label} …</span>${Array.from({ length: rows }, (_, row) => html`<i key=${row} class=${`bar-${row % 4}`}></i>`)}</div>`;
}

/** What went wrong, where, and what to do; the rest of the page still works. */
export function Wrong({ error, again = null }) {
  return html`<div class="wrong" role="alert">
    <p><b>${coded(error.what)}</b>${error.where && html` <span class="soft">(${error.where})</span>`}</p>
    ${error.remedy && html`<p>${coded(error.remedy)}</p>`}
    ${again && html`<button type="button" onClick=${again}>Try again</button>`}
  </div>`;
}

/** A panel with its heading; `level` keeps headings in order. */
export function Panel({ title, level = 2, aside = null, id = null, children, ...more }) {
  return html`<section class="panel" aria-label=${title} id=${id} ...${more}><div class="head">${level === 2 ? html`<h2>${title}</h2>` : html`<h3>${title}</h3>`}<span class="grow"></span>${aside}</div>${children}</section>`;
}

/** A player's colour with its number, as scenes show it. */
export function Badge({ player }) {
  if (player === null || player === undefined) return html`<span></span>`;
  return html`<span class="scene" aria-hidden="true"><span class=${`badge role-player-${Number(player) % 10}`}>${Number(player) + 1}</span></span>`;
}

/** A part of a page whose module is fetched when it is first shown. */
export function Later({ load, ...own }) {
  const [Part, set] = useState(null);
  useEffect(() => {
    load().then((module) => set(() => module.default));
  }, []);
  return Part && html`<${Part} ...${own} />`;
}

/** Say something to who listens to the page: politely, or at once. */
export function say(text, isUrgent = false) {
  const place = document.getElementById(isUrgent ? "said-at-once" : "said");
  if (place) place.textContent = shown(text);
}

export function useTitle(title) {
  useEffect(() => {
    document.title = title ? `${shown(title)} · Arena` : "Arena";
  }, [title]);
}
