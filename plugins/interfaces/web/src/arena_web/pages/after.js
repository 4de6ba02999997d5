// A match that is over, step by step: as whoever sat there saw it, and all of it where the host reveals that.
import { query, useAnswer, useLink } from "./api.js";
import { BARE } from "./asking.js";
import { html, useEffect, useState } from "./html.js";
import { useKeys } from "./keys.js";
import { Answer, Later, Panel, styled } from "./parts.js";
import { KEY } from "./place.js";
import { Played, useShown } from "./playback.js";
import { Turns } from "./turns.js";

// The key of this seat is used, also in the host's browser.
useLink({ form: BARE, storage: sessionStorage, name: KEY, again: "ask for a new one", first: "open your link again" });

export default function After({ over }) {
  const [as, look] = useState("");
  if (!over.match) return null;
  const button = (view, text) => html`<button type="button" aria-pressed=${String(as === view)} onClick=${() => look(as === view ? "" : view)}>${text}</button>`;
  return html`<div class="after stack"><p class="head">${button("own", "Step through it")}${over.reveals && button("all", "Look at all of it")}</p>
    ${as && html`<${Match} key=${as} path=${`/seat/match/${over.match}`} as=${as} />`}</div>`;
}

function Match({ path, as }) {
  const answer = useAnswer(`${path}${query({ as })}`);
  const [isDressed, dress] = useState(false);
  useEffect(() => {
    Promise.all(["runs", "match"].map(styled)).then(() => dress(true));
  }, []);
  return html`<${Answer} answer=${isDressed ? answer : { ...answer, data: null }} rows=${8} label="loading the match">${(data) => html`<${Seen} path=${path} as=${as} data=${data} />`}<//>`;
}

function Seen({ path, as, data }) {
  const [at, set] = useState("");
  const shown = useShown(path, as, data, new URLSearchParams(at && { at }), (next) => set(next.at));
  const keyed = useKeys(shown.keys);
  const isAll = as === "all";
  return html`<div class=${`match ${isAll ? "" : "is-watched"}`} ref=${keyed} tabindex="-1"><${Played} data=${data} shown=${shown} />
    <${Panel} title=${isAll ? "Turns" : "What you did and were told"}><${Turns} ...${shown} players=${data.players} /><//>
    ${isAll && html`<${Later} load=${() => import("./turn.js").then((module) => ({ default: module.Turn }))} ...${shown} path=${path} as=${as} players=${data.players} game=${data.game} />`}</div>`;
}
