// One match: the board with its players, the turns, and what the chosen turn's player was asked and answered.
import { download, query, useAddress, useAnswer, useLive, useThrottled } from "./api.js";
import { Board, learn, usePosition } from "./board.js";
import { html, many, number, useCallback, useEffect, useRef, useState } from "./html.js";
import { useKeys } from "./keys.js";
import { written } from "./numbers.js";
import { Answer, Badge, Chip, Later, MEANINGS, Panel, Wrong, say, useTitle } from "./parts.js";
import { Turn } from "./turn.js";
import { Turns, useTurns } from "./turns.js";

const SPEEDS = [0.5, 1, 2, 4];

export default function Match({ names: [run, match], me }) {
  const [address, change] = useAddress();
  const as = address.get("as") ?? "all";
  const path = `/run/${run}/match/${match}`;
  const isHeard = useRef(false);
  const fetched = useAnswer(`${path}${query({ as })}`, (found) => (isHeard.current ? 0 : ({ playing: 2000, planned: 4000 })[found?.state] ?? 0));
  const grown = useGrown(run, match, as, path, fetched);
  isHeard.current = grown.isHeard;
  const answer = { ...fetched, data: grown.data };
  const data = answer.data ?? answer.before;
  const title = data ? data.players.map((own) => own.title || own.agent).join(" – ") : `Match ${match}`;
  useTitle(title);
  return html`<div>
    <p class="crumbs"><a href="/">Runs</a> / <a href=${`/run/${run}`}>${data?.run_name ?? run}</a> / <a href=${`/run/${run}/matches`}>matches</a> / ${data?.id ?? match}</p>
    ${!data && html`<h1>${title}</h1>`}
    <${Answer} answer=${answer} rows=${8} label="loading the match" older=${true}>${(found) => html`<${Shown} key=${match} run=${run} path=${path} data=${found} title=${title} as=${as} address=${address} change=${change} me=${me} again=${answer.again} />`}<//></div>`;
}

/** A match with the turns that were told since it was fetched; where one is missing, it is fetched again. */
function useGrown(run, match, as, path, { data, again }) {
  const of = `${path} ${as}`;
  const [more, set] = useState({ of: "", turns: [], positions: 0 });
  const own = more.of === of ? more : { of, turns: [], positions: 0 };
  const isOpen = data && (data.state === "playing" || data.state === "planned");
  const total = Math.max(data?.turn_total ?? 0, (own.turns.at(-1)?.turn ?? -1) + 1);
  const fetchAgain = useThrottled(again, 1000);
  const isHeard = useLive(isOpen ? `match:${run}/${match}?as=${as}` : null, (message) => {
    if (message.kind === "frame") {
      learn(path, as, message);
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

function Shown({ run, path, data, title, as, address, change, me, again }) {
  const turns = useTurns(path, as, data);
  const total = data.turn_total;
  const at = address.has("at") ? Math.max(0, Math.min(total, Number.parseInt(address.get("at"), 10) || 0)) : total;
  const go = useCallback((to, isStep = false) => {
    const next = Math.max(0, Math.min(total, to));
    change({ at: next === total ? "" : String(next) }, { isStep });
  }, [total, address.toString()]);
  const place = at < total ? (turns[at]?.position ?? Math.min(at, data.positions - 1)) : data.positions - 1;
  const { position, error } = usePosition(path, as, place);
  const playing = usePlaying(at, total, go);
  const look = (view) => change({ as: view === "all" ? "" : view });
  const views = data.views.map((own) => String(own.view));
  const refused = turns.filter((turn) => turn && (turn.refused.length || turn.marks.length)).map((turn) => turn.turn + 1);
  const [isOpen, open] = useState(false);
  const commands = {
    ArrowLeft: () => go(at - 1), ArrowRight: () => go(at + 1), Home: () => go(0), End: () => go(total), " ": playing.toggle,
    "[": () => go(refused.findLast((own) => own < at) ?? at), "]": () => go(refused.find((own) => own > at) ?? at),
    v: () => look(views[(views.indexOf(as) + 1) % views.length] ?? "all"), c: copyLink, "?": () => open(true),
  };
  const keyed = useKeys(commands);
  useSaid(at, total, turns, data);
  return html`<div>
    <div class="head"><h1>${title}</h1><${Ending} data=${data} /><span class="grow"></span><${Eyes} views=${data.views} as=${as} look=${look} /></div>
    <div class="head sub"><p class="facts grow"><span>${data.game.title || data.game.name}</span><span><b>${number(total)}</b> ${total === 1 ? "turn" : "turns"}</span><span>match <code>${data.id}</code></span></p>
      <${Tools} run=${run} data=${data} path=${path} as=${as} place=${place} me=${me} again=${again} open=${() => open(true)} /></div>
    ${data.state === "playing" && html`<${Later} load=${() => import("./waits.js")} run=${run} match=${path.split("/").at(-1)} />`}
    ${data.error && html`<${Wrong} error=${{ what: data.error.reason, where: "", remedy: "`arena resume` plays it again" }} />${data.error.traceback && html`<details class="fold"><summary>What the program said</summary><pre tabindex="0" role="group" aria-label="traceback">${data.error.traceback}</pre></details>`}`}
    <div class="match" ref=${keyed} tabindex="-1">
      <section class="panel position" aria-label="Position"><h2 class="unseen">Position</h2>
        <${Players} players=${data.players.slice(1).reverse()} all=${data.players} />
        <${Board} position=${position} error=${error} />
        <${Players} players=${data.players.slice(0, 1)} all=${data.players} />
        <${Steps} at=${at} total=${total} go=${go} playing=${playing} refused=${refused} turns=${turns} data=${data} /></section>
      <${Panel} title="Turns" aside=${refused.length > 0 && html`<span class="soft small">${many(refused.length, "marked turn")}</span>`}>${total ? html`<${Turns} turns=${turns} total=${total} at=${at} go=${go} players=${data.players} />` : html`<p class="empty">${data.state === "planned" ? "This match has not begun." : "No turn has been played yet."}</p>`}<//>
      <${Turn} me=${me} path=${path} as=${as} at=${at} turns=${turns} players=${data.players} game=${data.game} views=${data.views} />
    </div>
    ${isOpen && html`<${Later} load=${() => import("./key_list.js")} isOpen=${true} close=${() => open(false)} />`}</div>`;
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
    say(at && turn ? `Turn ${at}: ${data.players[turn.player]?.agent ?? ""}: ${turn.action}${end}` : at ? `Turn ${at}` : "The start");
  }, [at, turn?.action, data.ending?.words]);
}

function copyLink() {
  navigator.clipboard.writeText(location.href).then(() => say("The link is copied."), () => say("The link cannot be copied here; it stands in the address bar.", true));
}

function Ending({ data }) {
  if (data.state === "playing") return html`<${Chip} state="playing" text="live" title="this match is being played" />`;
  if (data.state === "planned") return html`<${Chip} state="planned" text=${data.turn_total ? "not over" : "not begun"} title="nobody plays this match now" />`;
  if (data.state === "failed") return html`<${Chip} state="failed" text="ended without a result" />`;
  return html`<${Chip} state="ended" text=${data.ending?.words ?? "ended"} title=${data.ending?.kind} />`;
}

/** Whose eyes the page uses. */
function Eyes({ views, as, look }) {
  return html`<div class="with"><span class="small soft" id="eyes">seen by</span><div class="tabs" role="group" aria-labelledby="eyes">${views.map((own) => html`<button type="button" key=${own.view} aria-pressed=${String(String(own.view) === as)} onClick=${() => look(String(own.view))}>${own.title}</button>`)}</div></div>`;
}

function Tools({ run, data, path, as, place, me, again, open }) {
  const [error, setError] = useState(null);
  const match = path.split("/").at(-1);
  const { previous, next } = data.neighbours ?? {};
  const [drawn, draw] = useState(0);
  const fetchIt = (form) => () => download({ run, match, form }).then(() => setError(null), setError);
  const paint = (how) => () => {
    draw(1);
    import("./png.js").then(how).then(() => setError(null), (found) => setError({ what: found.message, where: "", remedy: found.remedy ?? "" })).finally(() => draw(0));
  };
  return html`<div class="with">${previous && html`<a class="button" href=${`/run/${run}/match/${previous}`}>Previous match</a>`}${next && html`<a class="button" href=${`/run/${run}/match/${next}`}>Next match</a>`}
    ${data.state === "playing" && html`<${Later} load=${() => import("./cancel.js")} path=${path} me=${me} again=${again} />`}
    ${data.downloads.length > 0 && html`<details class="menu"><summary class="button">Download</summary><div class="menu-items">${data.downloads.map((own) => html`<button type="button" key=${own.form} onClick=${fetchIt(own.form)}>${own.title}</button>`)}
      <button type="button" disabled=${drawn} onClick=${paint((png) => png.saveOne(path, as, place))}>this position, as PNG</button>
      <button type="button" disabled=${drawn} onClick=${paint((png) => png.saveAll(path, as, data.positions, draw))}>all positions, as PNGs in a ZIP</button></div></details>`}
    ${drawn > 0 && html`<span class="small soft" role="status">drawing ${number(drawn)} …</span>`}
    <button type="button" onClick=${copyLink}>Copy link</button><button type="button" onClick=${open}>Keys</button>
    ${error && html`<${Wrong} error=${error} />`}</div>`;
}

function Players({ players, all }) {
  const earned = all.map((own) => Number(own.result)).filter(Number.isFinite);
  const [least, most] = [Math.min(...earned), Math.max(...earned)];
  return html`<div>${players.map((own) => html`<div class="player" key=${own.player}><${Badge} player=${own.player} /><div class="who"><b>${own.title || own.agent}</b>
    <span class="small soft"><span title=${MEANINGS.seat}>${own.seat || `player ${own.player + 1}`}</span>${own.refusals !== null && html` · <span title=${MEANINGS.refusal}>${many(own.refusals, "refusal")}</span>`}${own.tokens ? html` · ${written(own.tokens, "count")} tokens` : ""}</span></div>
    <span class=${`result ${Number(own.result) === most && most > least ? "won" : ""}`} title="what this player earned">${Number(own.result) > 0 ? `+${own.result}` : String(own.result ?? "").replace("-", "−")}</span></div>`)}</div>`;
}

function Steps({ at, total, go, playing, refused, turns, data }) {
  const step = (label, text, to, isOff) => html`<button type="button" aria-label=${label} title=${label} disabled=${isOff} onClick=${() => go(to)}>${text}</button>`;
  const where = !total ? "nothing is played yet" : at === total ? (data.state === "playing" ? `after turn ${number(total)}, the newest` : `after turn ${number(total)}, the last`) : at ? `after turn ${number(at)} of ${number(total)}` : `the start; ${many(total, "turn")} follow`;
  const before = refused.findLast((own) => own < at);
  const after = refused.find((own) => own > at);
  return html`<div><div class="slider"><input type="range" min="0" max=${total} value=${at} aria-label="Turn" aria-valuetext=${where} disabled=${!total} onInput=${(event) => go(Number(event.target.value))} />
      <div class="ticks" aria-hidden="true">${refused.slice(0, 300).map((own) => html`<i key=${own} class=${`tick ${turns[own - 1].marks.join(" ")}`} style=${{ left: `${(100 * own) / total}%` }}></i>`)}</div></div>
    <div class="controls">${step("First position", "First", 0, !at)}${step("One turn back", "Back", at - 1, !at)}<button type="button" class="play" disabled=${!total} onClick=${playing.toggle}>${playing.isOn ? "Pause" : "Play"}</button>${step("One turn forward", "Forward", at + 1, at === total)}${step("Last position", "Last", total, at === total)}
      <label class="small"><span class="unseen">Speed</span><select value=${playing.speed} onChange=${(event) => playing.setSpeed(Number(event.target.value))}>${SPEEDS.map((own) => html`<option key=${own} value=${own} selected=${own === playing.speed}>${own}×</option>`)}</select></label></div>
    <p class="where small soft">${where}</p>
    ${refused.length > 0 && html`<div class="controls">${step("Previous refusal, substitute, withheld action or forfeit", "Previous mark", before ?? at, before === undefined)}${step("Next refusal, substitute, withheld action or forfeit", "Next mark", after ?? at, after === undefined)}</div>`}</div>`;
}
