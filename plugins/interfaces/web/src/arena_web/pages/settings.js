// What a person chose for playing, kept by the browser: everything is off at first.
import { html, useLayoutEffect, useState } from "./html.js";

const KEPT = "arena.seat.settings";
const WORDS = { confirm: "confirm moves", chime: "a chime when it is my turn", title: "my turn in the tab's title", motion: "pieces that move" };

export function useSettings() {
  const [chosen, set] = useState(() => JSON.parse(localStorage.getItem(KEPT) ?? "{}"));
  const choose = (name, isOn) => {
    const next = { ...chosen, [name]: isOn };
    localStorage.setItem(KEPT, JSON.stringify(next));
    set(next);
    if (name === "chime" && isOn) chime();
  };
  useLayoutEffect(() => void document.documentElement.classList.toggle("has-motion", Boolean(chosen.motion)), [chosen.motion]);
  return [chosen, choose];
}

export function Settings({ chosen, choose }) {
  return html`<div class="settings">${Object.entries(WORDS).map(([name, words]) => html`<label class="check small" key=${name}><input type="checkbox" checked=${Boolean(chosen[name])} onChange=${(event) => choose(name, event.target.checked)} /> ${words}</label>`)}</div>`;
}

/** A short tone, whose module is fetched when it first sounds. */
export const chime = () => import("./chime.js").then((module) => module.default());
