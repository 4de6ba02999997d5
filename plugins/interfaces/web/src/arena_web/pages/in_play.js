// The matches that are being played: their boards, whose turn it is, and how many answers were refused.
import { useAnswer } from "./api.js";
import { html, useEffect, useState } from "./html.js";
import { Mini } from "./mini.js";
import { lasting } from "./numbers.js";

/** Since when, in words that go on by themselves. */
function Elapsed({ since }) {
  const [now, set] = useState(Date.now());
  useEffect(() => {
    const timer = setInterval(() => set(Date.now()), 1000);
    return () => clearInterval(timer);
  }, []);
  const seconds = Math.max(0, Math.floor((now - new Date(since)) / 1000));
  return html`<p class="soft small">${seconds < 60 ? `${seconds} s` : lasting(seconds)} since it began</p>`;
}

/** Whose turn it is, and the refusals of each player: `X to move · refusals: X 1 of 3, O 0 of 3`. */
function noteOf({ players }) {
  const name = (own) => own.seat || own.agent;
  const asked = players.filter((own) => own.is_asked).map(name);
  const counted = players.some((own) => own.refusals || own.refusals_allowed !== null);
  const refused = counted && `invalid responses: ${players.map((own) => `${name(own)} ${own.refusals}${own.refusals_allowed === null ? "" : ` of ${own.refusals_allowed}`}`).join(", ")}`;
  return [asked.length > 0 && `${asked.join(", ")} to move`, refused].filter(Boolean).join(" · ");
}

export default function InPlay({ run, playing, started }) {
  const answer = useAnswer(`/run/${run}/playing`, () => 2000);
  const told = Object.fromEntries(((answer.data ?? answer.before)?.matches ?? []).map((own) => [own.match, own]));
  const agents = (own) => told[own.match]?.players.map((each) => each.agent).join(" – ");
  return html`${started && html`<${Elapsed} since=${started} />`}
    <div class="minis">${playing.slice(0, 12).map((own) => html`<${Mini} key=${own.match} run=${run} match=${own.match} label=${agents(own) || own.label} note=${told[own.match] ? noteOf(told[own.match]) : null} isLive=${true} />`)}</div>`;
}
