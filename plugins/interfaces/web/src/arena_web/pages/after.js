// A match that is over, step by step as whoever sat there saw it.
import { useAnswer, useLink } from "./api.js";
import { BARE } from "./asking.js";
import { html, useEffect, useState } from "./html.js";
import { useKeys } from "./keys.js";
import { Answer, Panel, styled } from "./parts.js";
import { KEY } from "./place.js";
import { Played, useShown } from "./playback.js";
import { Turns } from "./turns.js";

// The key of this seat is used, also in the host's browser.
useLink({ form: BARE, storage: sessionStorage, name: KEY, again: "ask for a new one", first: "open your link again" });

export default function After({ over }) {
  const [isOpen, open] = useState(false);
  if (!over.match) return null;
  return html`<div class="after stack"><p class="with"><button type="button" aria-expanded=${String(isOpen)} onClick=${() => open(!isOpen)}>Step through it</button></p>
    ${isOpen && html`<${Match} path=${`/seat/match/${over.match}`} />`}</div>`;
}

function Match({ path }) {
  const answer = useAnswer(path);
  const [isDressed, dress] = useState(false);
  useEffect(() => {
    Promise.all(["runs", "match"].map(styled)).then(() => dress(true));
  }, []);
  return html`<${Answer} answer=${isDressed ? answer : { ...answer, data: null }} rows=${8} label="loading the match">${(data) => html`<${Seen} path=${path} data=${data} />`}<//>`;
}

function Seen({ path, data }) {
  const [at, set] = useState("");
  const shown = useShown(path, "", data, new URLSearchParams(at && { at }), (next) => set(next.at));
  const keyed = useKeys(shown.keys);
  return html`<div class="match is-watched" ref=${keyed} tabindex="-1"><${Played} data=${data} shown=${shown} />
    <${Panel} title="What you did and were told"><${Turns} ...${shown} players=${data.players} /><//></div>`;
}
