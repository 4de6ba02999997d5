// The page of a bystander: one match, as far as it is public, while it is played and after.
import { takeKey, useAddress, useLink, useLost } from "./api.js";
import { BARE } from "./asking.js";
import { html, useEffect, useRef } from "./html.js";
import { useKeys } from "./keys.js";
import { Guarded } from "./guarded.js";
import { draw } from "./own_page.js";
import { Answer, Panel, Wrong, useTitle } from "./parts.js";
import { Ending, Played, useMatch, useShown } from "./playback.js";
import { Turns } from "./turns.js";

function Watched({ data, address, change }) {
  const shown = useShown("/watch", "", data, address, change);
  const keyed = useKeys(shown.keys);
  const { turns, total, at, go } = shown;
  return html`<div>
    <div class="head"><h1>${data.game.title}</h1><${Ending} data=${data} /></div>
    <p class="soft small watched">You see what is public. ← and → move one step back and forward, Home and End to the start and the end, space plays.</p>
    <div class="match is-watched" ref=${keyed} tabindex="-1">
      <${Played} data=${data} shown=${shown} />
      <${Panel} title="What happened">${total ? html`<${Turns} turns=${turns} total=${total} at=${at} go=${go} players=${data.players} />` : html`<p class="empty">${data.state === "planned" ? "This match has not begun." : "Nothing has happened yet."}</p>`}<//>
      ${data.game.rules && html`<details class="fold"><summary>Rules</summary><pre tabindex="0" role="group" aria-label="rules" dir="auto">${data.game.rules}</pre></details>`}
    </div></div>`;
}

function Match() {
  const [address, change] = useAddress();
  const answer = useMatch("watch", "/watch", "");
  const wasHeard = useRef(false);
  useTitle(answer.data?.game.title ?? "A match");
  // A link that has ended is told nothing more: what is said then is asked for.
  useEffect(() => {
    if (wasHeard.current && !answer.isHeard && answer.data) answer.again();
    wasHeard.current = answer.isHeard;
  }, [answer.isHeard]);
  const isClosed = answer.error?.status === 401;
  return html`<div>${isClosed ? html`<h1>Not open</h1><${Wrong} error=${answer.error} />` : html`<div>${!answer.data && html`<h1>A match</h1>`}<${Answer} answer=${answer} rows=${8} label="loading the match" older=${true}>${(data) => html`<${Watched} data=${data} address=${address} change=${change} />`}<//></div>`}</div>`;
}

const What = () => (useLost() ? html`<span class="lost" role="alert">connection lost, trying again</span>` : "you watch a match");
const Content = () => html`<${Guarded} Page=${Match} remedy="load it again" />`;

// The key of this match alone is used, also in the host's browser, and in this tab alone.
useLink({ form: BARE, storage: sessionStorage, name: "arena.watch", again: "ask for a new one", first: "open your link again" });
draw(Content, What, takeKey);
