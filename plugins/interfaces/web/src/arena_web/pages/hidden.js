// Why a match in which somebody outside sits is seen as a bystander sees it, and the button to see all of it.
import { Twice, mayHold, useDoing } from "./doing.js";
import { html } from "./html.js";
import { Wrong } from "./states.js";

export default function Hidden({ path, data, me, again }) {
  const { act, error, busy } = useDoing(again);
  return html`<div class="note">${data.is_watched && html`<p>Watched by the host, who saw all of it while a human player was in it.</p>`}
    ${data.is_covered && html`<p>A human player is in this match, or in one with the same deals: until that is over you see what a spectator sees.</p>`}
    ${data.is_covered && mayHold(me) && html`<p><${Twice} text="Show all" again="Really show all: it is recorded" busy=${busy} act=${() => act(`${path}/show-all`, {}, "You see all; the match is marked as watched by the host.")} /></p>`}
    ${error && html`<${Wrong} error=${error} />`}</div>`;
}
