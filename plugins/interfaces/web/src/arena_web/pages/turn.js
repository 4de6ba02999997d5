// The chosen turn: what its player was asked, what it answered, how that was read, and who was told what.
import { ask, query, useAnswer } from "./api.js";
import { html, many, number, useEffect, useRef, useState, words } from "./html.js";
import { lasting, written } from "./numbers.js";
import { Answer, Badge, Chip, Later, MARKS, MEANINGS, Wrong, styled } from "./parts.js";

const PIECE = 100000; // characters of a long text that are fetched at once

/** A value that follows another at once, or when it has stood still where it changes quickly. */
function useSettled(value, pause = 150) {
  const [settled, set] = useState(value);
  const last = useRef(0);
  useEffect(() => {
    const since = Date.now() - last.current;
    last.current = Date.now();
    if (since > pause) return set(value);
    const timer = setTimeout(() => set(value), pause);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}

export function Turn({ path, as, at, turns, players, game, me }) {
  const chosen = useSettled(at);
  const answer = useAnswer(chosen ? `${path}/turn/${chosen - 1}${query({ as })}` : null);
  const row = turns[chosen - 1];
  const player = players[row?.player];
  return html`<section class="panel detail" aria-label="The chosen turn">
    ${chosen ? html`<div class="head"><h2>Turn ${number(chosen)}</h2>${player && html`<${Badge} player=${player.player} /><span class="grow">${player.agent}</span>`}<${Marks} row=${row} /></div>
      <${Answer} answer=${answer} rows=${6} label="loading the turn">${(data) => html`<${Detail} key=${`${as} ${chosen}`} path=${path} data=${data} players=${players} row=${row} /><${WhatIf} key=${`${path} ${chosen}`} path=${path} turn=${chosen - 1} row=${row} isSeen=${as === "all"} me=${me} />`}<//>` : html`<${Start} game=${game} />`}
  </section>`;
}

function Start({ game }) {
  return html`<div><h2>The start</h2><p class="soft">Choose a turn to read what its player was asked and what it answered.</p>
    ${game.rules && html`<details class="fold" open><summary>Rules</summary><pre tabindex="0" role="group" aria-label="rules" dir="auto">${game.rules}</pre></details>`}</div>`;
}

function Marks({ row }) {
  if (!row || row.player === null) return null;
  const tone = row.marks.includes("substitute") || row.marks.includes("forfeit") ? "damaged" : "finished";
  const tries = row.refused.length;
  const mark = row.marks.find((own) => own !== "refused");
  const text = MARKS[mark] ?? mark ?? (tries ? `played after ${many(tries, "invalid response")}` : "played, first try");
  return html`<${Chip} state=${tries && tone === "finished" ? "stopped" : tone} text=${text} title=${MEANINGS[mark]} />`;
}

function Detail({ path, data, players, row }) {
  const tries = triesOf(data);
  const isAsked = data.asked.length || data.calls.length;
  return html`<div>
    ${!isAsked && html`<p class="soft small">${data.player === null ? "This view is not told what the player was asked." : "No prompt: this player is a program, or this view may not see it."}</p>`}
    <${Asked} path=${path} data=${data} />
    ${tries.map((own, index) => html`<${Try} key=${index} path=${path} own=${own} index=${index} count=${tries.length} isSubstitute=${index === tries.length - 1 && row?.marks.includes("substitute")} />`)}
    ${data.look_ups.map((own, index) => html`<${Fold} key=${index} title=${`Looked up: ${own.query}`} aside=${words(own.arguments)}><${Long} path=${path} text=${own.answer} label=${`answer to ${own.query}`} /><//>`)}
    ${data.worths?.length > 0 && html`<${Later} load=${() => styled("tables").then(() => import("./worths.js"))} worths=${data.worths} />`}
    ${data.told.length > 0 && html`<${Fold} title="Told" aside=${many(data.told.length, "event")} isOpen=${data.told.length < 12}><ul class="told">${data.told.map((own, index) => html`<li key=${index}><span dir="auto">${own.text}</span> <span class="soft small">to ${own.seen_by === "everybody" ? "everybody" : own.seen_by.map((player) => players[player]?.seat || `player ${player + 1}`).join(", ") || "nobody"}</span></li>`)}</ul><//>`}
    ${Object.keys(data.notes ?? {}).length > 0 && html`<${Fold} title="Notes" aside="what the agent noted itself"><pre tabindex="0" role="group" aria-label="notes" dir="auto">${words(data.notes)}</pre><//>`}
    <${Facts} calls=${data.calls} /></div>`;
}

/** Asks another agent here, or plays on from here: for the host, who may pay for it. */
function WhatIf({ isSeen, me, row, ...own }) {
  const [isOpen, open] = useState(false);
  if (!isSeen || !row || me?.right !== "host" || me.read_only) return null;
  return html`<details class="fold" onToggle=${(event) => event.target.open && open(true)}><summary>What if<span class="small">another agent had been asked here</span></summary><div class="folded">${isOpen && html`<${Later} load=${() => import("./whatif.js")} row=${row} ...${own} />`}</div></details>`;
}

/** Each try with the calls that were made for it, and how its answer was read. */
export function triesOf(data) {
  const tries = data.tries ?? [{ try: "0", ...data.read_as }];
  const of = (name) => data.calls.filter((call) => String(call.try ?? "0") === String(name));
  return tries.map((own) => ({ ...own, calls: of(own.try) })).filter((own) => own.calls.length || own.action !== null || own.refusal);
}

export function Try({ path, own, index, count, isSubstitute, who = "" }) {
  const read = own.refusal ? "refused" : isSubstitute ? "substitute" : "played";
  const title = `${who}${who && ": "}${own.calls.length ? (count > 1 ? `Answered, try ${index + 1}` : "Answered") : "Action"}`;
  return html`<${Fold} title=${title} isOpen=${true} aside=${html`<span class=${`mark ${read}`} title=${MEANINGS[read] ?? (own.refusal ? MEANINGS.refusal : null)}>${MARKS[read] ?? read}</span>`}>
    ${own.calls.map((call, place) => html`<div key=${place}>
      ${call.reasoning && html`<details class="message"><summary>reasoning<span class="small">${many(call.reasoning.length, "character")}</span></summary><${Long} path=${path} text=${call.reasoning} label=${`${title}: reasoning`} /></details>`}
      <${Long} path=${path} text=${call.answer} label=${`${title}, call ${place + 1}`} />
      ${call.tool_calls?.length > 0 && html`<details class="message"><summary>tool calls<span class="small">${number(call.tool_calls.length)}</span></summary><pre tabindex="0" role="group" aria-label=${`${title}: tool calls`} dir="auto">${words(call.tool_calls)}</pre></details>`}
    </div>`)}
    ${own.refusal ? html`<p class="read"><span class="mark">${own.refusal.kind}</span> <span data-raw>${own.refusal.reason}</span></p>` : html`<p class="read"><span class="soft">${isSubstitute ? "fallback move by the policy for illegal moves:" : "read as"}</span> <b dir="auto">${words(own.action)}</b></p>`}<//>`;
}

/** What the calls of a turn took: what is the same for all of them once, sums of the rest. */
function Facts({ calls }) {
  if (!calls.length) return null;
  const sum = (numberOf) => calls.reduce((total, call) => total + (numberOf(call) ?? 0), 0);
  const each = (textOf) => [...new Set(calls.map(textOf).filter(Boolean))].join(", ");
  const sampling = (call) => Object.entries(call.sampling ?? {}).filter(([name]) => name !== "seed").map(([name, value]) => `${name} ${words(value)}`).join(", ");
  const facts = [
    ["model", each((call) => call.model)],
    ["sampling", each(sampling)],
    ["seeds", each((call) => call.sampling?.seed)],
    ["calls", calls.some((call) => call.kind !== "asked") ? `${number(calls.length)}: ${each((call) => call.kind)}` : number(calls.length)],
    ["tokens", `${written(sum((call) => call.tokens?.prompt), "count")} read, ${written(sum((call) => call.tokens?.completion), "count")} written`],
    ["time", calls.some((call) => call.seconds) ? lasting(sum((call) => call.seconds)) : ""],
    ["cost", written(sum((call) => call.cost), "money")],
    ["requests", each((call) => call.request_hash)],
  ];
  return html`<dl class="pairs">${facts.filter(([, value]) => value).flatMap(([name, value]) => [html`<dt key=${name}>${name}</dt>`, html`<dd key=${`${name} is`} class="mono">${value}</dd>`])}</dl>`;
}

export function Fold({ title, aside = "", isOpen = false, children }) {
  return html`<details class="fold" open=${isOpen}><summary>${title}<span class="small">${aside}</span></summary><div class="folded">${children}</div></details>`;
}

/** The messages as sent; those that this player had seen before are shown on request. */
function Asked({ path, data }) {
  const from = Math.min(data.asked_is_new_from ?? 0, Math.max(0, data.asked.length - 1));
  const [isWhole, show] = useState(false);
  if (!data.asked.length) return null;
  const shown = isWhole ? data.asked : data.asked.slice(from);
  const size = shown.reduce((sum, own) => sum + (own.text?.length ?? 0), 0);
  return html`<${Fold} title="Asked" isOpen=${true} aside=${`${from && !isWhole ? "what is new · " : ""}${many(size, "character")}`}>
    ${from > 0 && html`<p><button type="button" onClick=${() => show(!isWhole)}>${isWhole ? "Show what is new" : `Show all ${number(data.asked.length)} messages`}</button></p>`}
    ${shown.map((own, index) => html`<${Message} key=${isWhole ? index : from + index} path=${path} message=${own} isOpen=${index === shown.length - 1} />`)}<//>`;
}

function Message({ path, message, isOpen }) {
  const long = typeof message.text === "object" && message.text !== null ? message.text : { text: message.text, length: String(message.text ?? "").length };
  return html`<details class="message" open=${isOpen}><summary>${message.role}<span class="small">${many(long.length, "character")}${message.images ? html` · ${many(message.images, "picture")}` : ""}</span></summary><${Long} path=${path} text=${long} label=${`message of ${message.role}`} /></details>`;
}

/** A text of any length: what was sent with the turn, and more of it on request. */
export function Long({ path, text, label }) {
  const own = typeof text === "object" && text !== null ? text : { text, length: String(text ?? "").length };
  const [more, add] = useState("");
  const [error, setError] = useState(null);
  const [isBusy, busy] = useState(false);
  const whole = String(own.text ?? "") + more;
  const left = own.length - [...whole].length;
  const fetchMore = async () => {
    busy(true);
    try {
      const found = await ask(`${path}/text/${own.digest}${query({ from: [...whole].length, length: PIECE })}`);
      add(more + String(found.text));
      setError(null);
    } catch (problem) {
      setError(problem);
    }
    busy(false);
  };
  return html`<div><pre tabindex="0" role="group" aria-label=${label} dir="auto">${whole || "(nothing)"}</pre>
    ${own.digest && left > 0 && html`<p class="more small"><span class="soft">${number(own.length - left)} of ${many(own.length, "character")}</span> <button type="button" disabled=${isBusy} onClick=${fetchMore}>Show ${number(Math.min(PIECE, left))} more</button></p>`}
    ${error && html`<${Wrong} error=${error} />`}</div>`;
}

