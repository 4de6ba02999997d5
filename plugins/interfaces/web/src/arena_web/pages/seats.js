// The open seats of a run, for its host: who waits where, and a link for whoever sits down there.
import { ask } from "./api.js";
import { mayHold } from "./doing.js";
import { html, useState } from "./html.js";
import { MadeLink, addressOf } from "./made_link.js";
import { When } from "./numbers.js";
import { Panel, Wrong, say } from "./states.js";

/** The seats that people and programs take by links. */
export default function Seats({ run, seats, me }) {
  return html`<${Panel} title="Human seats"><ul class="choices">${seats.map((own) => html`<${Seat} key=${`${own.agent}/${own.player}`} run=${run} seat=${own} me=${me} />`)}</ul><//>`;
}

function Seat({ run, seat, me }) {
  const [made, setMade] = useState(null);
  const [error, setError] = useState(null);
  const name = `${seat.title}${seat.player === null ? "" : `, as player ${Number(seat.player) + 1}`}`;
  const make = async () => {
    try {
      const { agent, player } = seat;
      setMade(addressOf(await ask("/links", { body: { right: "seat", run, agent, ...(player === null ? {} : { player }) } })));
      setError(null);
      say("The link is made.");
    } catch (found) {
      setError(found);
    }
  };
  return html`<li><b>${name}</b> <p class="soft">${seat.match ? html`it is this seat's turn since <${When} time=${seat.waiting_since} /> in <a href=${`/run/${run}/match/${seat.match}`}>this match</a>` : seat.link_made || made ? "has a link" : "nobody has a link"}</p>
    ${mayHold(me) && html`<button type="button" title="whoever opens it plays this seat and sees nothing else; it ends the link made before" aria-label=${`Make a link: ${name}`} onClick=${make}>Make a link</button>`}
    ${made && html`<${MadeLink} made=${made} name=${name} />`}
    ${error && html`<${Wrong} error=${error} />`}</li>`;
}
