// A match played back: what is known of it so far, the position that is looked at, and the steps back and forward.
import { query, useAnswer, useLive, useThrottled } from "./api.js";
import { Board, learn, learnLast, usePosition } from "./board.js";
import { html, many, number, useCallback, useEffect, useRef, useState } from "./html.js";
import { written } from "./numbers.js";
import { Badge, Chip, MEANINGS, say } from "./parts.js";
import { useTurns } from "./turns.js";

const SPEEDS = [0.5, 1, 2, 4];

/** A match at a path through one pair of eyes, which grows while it is played. */
export function useMatch(topic, path, as) {
  const isHeard = useRef(false);
  const fetched = useAnswer(`${path}${query({ as })}`, (found) => (isHeard.current ? 0 : ({ playing: 2000, planned: 4000 })[found?.state] ?? (found?.ending?.computing ? 2000 : 0)));
  const grown = useGrown(topic, path, as, fetched);
  isHeard.current = grown.isHeard;
  return { ...fetched, ...grown };
}

/** A match with the turns that were told since it was fetched; where one is missing, it is fetched again. */
function useGrown(topic, path, as, { data, again }) {
  const of = `${path} ${as}`;
  const [more, set] = useState({ of: "", turns: [], positions: 0 });
  const own = more.of === of ? more : { of, turns: [], positions: 0 };
  const isOpen = data && (data.state === "playing" || data.state === "planned");
  const total = Math.max(data?.turn_total ?? 0, (own.turns.at(-1)?.turn ?? -1) + 1);
  const fetchAgain = useThrottled(again, 1000);
  const isHeard = useLive(isOpen ? topic : null, (message) => {
    if (message.kind === "reset") {
      learnLast(path, message.view ?? as, message);
      set({ ...own });
    }
    if (message.kind === "frame") {
      learn(path, data?.view ?? as, message);
      set((old) => ({ ...(old.of === of ? old : own), of, positions: Number(message.position) + 1 }));
    } else if (message.kind === "turn") {
      if (message.turn > total) fetchAgain();
      set((old) => ({ ...(old.of === of ? old : own), of, turns: [...(old.of === of ? old.turns : []).filter((turn) => turn.turn < message.turn), message] }));
    } else if (message.kind !== "reset" || message.state !== data?.state || message.turn_total !== total) {
      if (message.kind === "reset") set({ of, turns: [], positions: 0 });
      fetchAgain();
    }
  });
  if (!data || !own.turns.length) return { data, isHeard };
  const turns = [...data.turns, ...own.turns.filter((turn) => turn.turn >= data.turn_total)];
  return { data: { ...data, turns, turn_total: total, positions: Math.max(data.positions, own.positions) }, isHeard };
}

/** Which turn of a match is looked at, its position, how to go to another, and by which keys. */
export function useShown(path, as, data, address, change) {
  const eyes = data.view ?? as; // which may be others than those that were asked for, and change
  const turns = useTurns(path, eyes, data);
  const total = data.turn_total;
  const at = address.has("at") ? Math.max(0, Math.min(total, Number.parseInt(address.get("at"), 10) || 0)) : total;
  const go = useCallback((to, isStep = false) => {
    const next = Math.max(0, Math.min(total, to));
    change({ at: next === total ? "" : String(next) }, { isStep });
  }, [total, address.toString()]);
  const place = at < total ? (turns[at]?.position ?? Math.min(at, data.positions - 1)) : data.positions - 1;
  const playing = usePlaying(at, total, go);
  useSaid(at, total, turns, data);
  const keys = { ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(0), End: () => go(total), " ": playing.toggle };
  return { turns, total, at, go, place, playing, keys, ...usePosition(path, eyes, place) };
}

const NONE = new Set();

/** The numbers of the turns with an invalid response, a fallback move, a withheld action, a forfeit or a blunder. */
export const markedOf = (turns, blunders = NONE) => turns.filter((turn) => turn && (turn.refused.length || turn.marks.length || blunders.has(turn.turn))).map((turn) => turn.turn + 1);

/** The picture between its players, and the steps. */
export function Played({ data, shown, blunders = NONE, children = null }) {
  return html`<section class="panel position" aria-label="Position"><h2 class="unseen">Position</h2>
    <${Players} players=${data.players.slice(1).reverse()} all=${data.players} />
    <${Board} position=${shown.position} error=${shown.error} />
    <${Players} players=${data.players.slice(0, 1)} all=${data.players} />
    <${Steps} ...${shown} refused=${markedOf(shown.turns, blunders)} blunders=${blunders} data=${data} />${children}</section>`;
}

/** Plays on by itself, at a speed, until the end or until somebody stops it. */
function usePlaying(at, total, go) {
  const [isOn, turn] = useState(false);
  const [speed, setSpeed] = useState(1);
  useEffect(() => {
    if (!isOn) return undefined;
    if (at >= total) {
      turn(false);
      return undefined;
    }
    const timer = setTimeout(() => go(at + 1), 900 / speed);
    return () => clearTimeout(timer);
  }, [isOn, at, speed, total]);
  const toggle = () => {
    if (!isOn && at >= total) go(0);
    turn(!isOn);
  };
  return { isOn, speed, setSpeed, toggle };
}

/** Moves and results are told to who listens. */
function useSaid(at, total, turns, data) {
  const first = useRef(true);
  const turn = turns[at - 1];
  useEffect(() => {
    if (first.current) {
      first.current = false;
      return;
    }
    const end = at === total && data.ending ? `; ${data.ending.words}` : "";
    say(at && turn ? `Turn ${at}: ${[data.players[turn.player]?.agent, turn.action].filter(Boolean).join(": ")}${end}` : at ? `Turn ${at}` : "The start");
  }, [at, turn?.action, data.ending?.words]);
}

export function Ending({ data }) {
  if (data.state === "playing") return html`<${Chip} state="playing" text="live" title="this match is being played" />`;
  if (data.state === "planned") return html`<${Chip} state="planned" text=${data.turn_total ? "not over" : "not begun"} title="nobody plays this match now" />`;
  if (data.state === "failed") return html`<${Chip} state="failed" text="ended without a result" />`;
  return html`<${Chip} state="ended" text=${data.ending?.words ?? "ended"} title=${data.ending?.kind} />`;
}

function Players({ players, all }) {
  const earned = all.map((own) => Number(own.result)).filter(Number.isFinite);
  const [least, most] = [Math.min(...earned), Math.max(...earned)];
  return html`<div>${players.map((own) => html`<div class="player" key=${own.player}><${Badge} player=${own.player} /><div class="who"><b>${own.title || own.agent || own.seat}</b>
    <span class="small soft">${own.agent && html`<span title=${MEANINGS.seat}>${own.seat || `player ${own.player + 1}`}</span>`}${typeof own.refusals === "number" && html` · <span title=${MEANINGS.refusal}>${many(own.refusals, "invalid response")}</span>`}${own.tokens ? html` · ${written(own.tokens, "count")} tokens` : ""}</span></div>
    <span class=${`result ${Number(own.result) === most && most > least ? "won" : ""}`} title="what this player earned">${Number(own.result) > 0 ? `+${own.result}` : String(own.result ?? "").replace("-", "−")}</span></div>`)}</div>`;
}

function Steps({ at, total, go, playing, refused, blunders, turns, data }) {
  const step = (label, text, to, isOff) => html`<button type="button" aria-label=${label} title=${label} disabled=${isOff} onClick=${() => go(to)}>${text}</button>`;
  const where = !total ? "nothing is played yet" : at === total ? (data.state === "playing" ? `after turn ${number(total)}, the newest` : `after turn ${number(total)}, the last`) : at ? `after turn ${number(at)} of ${number(total)}` : `the start; ${many(total, "turn")} follow`;
  const before = refused.findLast((own) => own < at);
  const after = refused.find((own) => own > at);
  return html`<div><div class="slider"><input type="range" min="0" max=${total} value=${at} aria-label="Turn" aria-valuetext=${where} disabled=${!total} onInput=${(event) => go(Number(event.target.value))} />
      <div class="ticks" aria-hidden="true">${refused.slice(0, 300).map((own) => html`<i key=${own} class=${`tick ${turns[own - 1].marks.join(" ")}${blunders.has(own - 1) ? " blunder" : ""}`} style=${{ left: `${(100 * own) / total}%` }}></i>`)}</div></div>
    <div class="controls">${step("First position", "First", 0, !at)}${step("One turn back", "Back", at - 1, !at)}<button type="button" class="play" disabled=${!total} onClick=${playing.toggle}>${playing.isOn ? "Pause" : "Play"}</button>${step("One turn forward", "Forward", at + 1, at === total)}${step("Last position", "Last", total, at === total)}
      <label class="small"><span class="unseen">Speed</span><select value=${playing.speed} onChange=${(event) => playing.setSpeed(Number(event.target.value))}>${SPEEDS.map((own) => html`<option key=${own} value=${own} selected=${own === playing.speed}>${own}×</option>`)}</select></label></div>
    <p class="where small soft">${where}</p>
    ${refused.length > 0 && html`<div class="controls">${step("Previous marked turn", "Previous mark", before ?? at, before === undefined)}${step("Next marked turn", "Next mark", after ?? at, after === undefined)}</div>`}</div>`;
}
