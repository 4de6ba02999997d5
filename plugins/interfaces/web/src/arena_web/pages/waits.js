// A word on a match in play that waits for somebody outside.
import { useAnswer } from "./api.js";
import { html } from "./html.js";

export default function Waits({ run, match }) {
  const answer = useAnswer(`/run/${run}`, () => 4000);
  const found = (answer.data ?? answer.before)?.seats?.find((own) => own.match === match);
  return found ? html`<p class="note">This match waits for ${found.title}. <a href=${`/run/${run}`}>A link to the seat</a> is made on the page of the run.</p>` : null;
}
