// The button that ends a match while it is played.
import { Twice, mayHold, useDoing } from "./doing.js";
import { html } from "./html.js";
import { Wrong } from "./parts.js";

export default function Cancel({ path, me, again }) {
  const { act, error, busy } = useDoing(again);
  if (!mayHold(me)) return null;
  return html`<${Twice} text="Cancel match" again="Really cancel: no result" busy=${busy} act=${() => act(`${path}/cancel`, {}, "The match is cancelled.")} />
    ${error && html`<${Wrong} error=${error} />`}`;
}
