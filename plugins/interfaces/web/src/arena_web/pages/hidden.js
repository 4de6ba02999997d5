// Why a match in which somebody outside sits is seen as a bystander sees it, and the button to see all of it.
import { Twice, mayHold, useDoing } from "./doing.js";
import { html } from "./html.js";
import { Wrong } from "./states.js";

export default function Hidden({ path, data, me, again }) {
  const { act, error, busy } = useDoing(again);
  if (data.is_watched) return html`<p class="note">Watched by the host, who saw all of it while somebody outside played.</p>`;
  return html`<div class="note"><p>Somebody outside plays here, or with the same deals: you see what a bystander sees until that is over.</p>
    ${mayHold(me) && html`<p><${Twice} text="Show all" again="Really show all: it is recorded" busy=${busy} act=${() => act(`${path}/show-all`, {}, "You see all; the match is marked as watched by the host.")} /></p>`}
    ${error && html`<${Wrong} error=${error} />`}</div>`;
}
