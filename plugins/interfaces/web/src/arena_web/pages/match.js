// One match: the board with its players, the turns, and what the chosen turn's player was asked and answered.
import { useAddress } from "./api.js";
import { mayHold } from "./doing.js";
import { html, many, number, useState } from "./html.js";
import { useKeys } from "./keys.js";
import { Answer, Later, Panel, say, useTitle } from "./parts.js";
import { Ending, Played, markedOf, useMatch, useShown } from "./playback.js";
import { Turn } from "./turn.js";
import { Turns } from "./turns.js";

export default function Match({ names: [run, match], me }) {
  const [address, change] = useAddress();
  const as = address.get("as") ?? "all";
  const path = `/run/${run}/match/${match}`;
  const answer = useMatch(`match:${run}/${match}?as=${as}`, path, as);
  const data = answer.data ?? answer.before;
  const title = data ? data.players.map((own) => own.title || own.agent).join(" – ") : `Match ${match}`;
  useTitle(title);
  return html`<div>
    <p class="crumbs"><a href="/">Runs</a> / <a href=${`/run/${run}`}>${data?.run_name ?? run}</a> / <a href=${`/run/${run}/matches`}>matches</a> / ${data?.id ?? match}</p>
    ${!data && html`<h1>${title}</h1>`}
    <${Answer} answer=${answer} rows=${8} label="loading the match" older=${true}>${(found) => html`<${Shown} key=${match} run=${run} path=${path} data=${found} title=${title} as=${as} address=${address} change=${change} me=${me} again=${answer.again} />`}<//></div>`;
}

function Shown({ run, path, data, title, as, address, change, me, again }) {
  const shown = useShown(path, as, data, address, change);
  const { turns, total, at, go, place } = shown;
  const look = (view) => change({ as: view === "all" ? "" : view });
  const views = data.views.map((own) => String(own.view));
  const [valued, value] = useState([]);
  const blunders = new Set(valued.filter((own) => own.is_blunder).map((own) => own.turn));
  const refused = markedOf(turns, blunders);
  const [isOpen, open] = useState(false);
  const commands = {
    ...shown.keys,
    "[": () => go(refused.findLast((own) => own < at) ?? at), "]": () => go(refused.find((own) => own > at) ?? at),
    v: () => look(views[(views.indexOf(as) + 1) % views.length] ?? "all"), c: copyLink, "?": () => open(true),
  };
  const keyed = useKeys(commands);
  return html`<div>
    <div class="head"><h1>${title}</h1><${Ending} data=${data} /><span class="grow"></span><${Eyes} data=${data} look=${look} /></div>
    <div class="head sub"><p class="facts grow"><span>${data.game.title || data.game.name}</span><span><b>${number(total)}</b> ${total === 1 ? "turn" : "turns"}</span><span>match <code>${data.id}</code></span></p>
      <${Tools} run=${run} data=${data} path=${path} as=${as} place=${place} me=${me} again=${again} open=${() => open(true)} /></div>
    ${data.state === "playing" && html`<${Later} load=${() => import("./waits.js")} run=${run} match=${path.split("/").at(-1)} />`}
    ${(data.is_watched || data.is_covered) && html`<${Later} load=${() => import("./hidden.js")} path=${path} data=${data} me=${me} again=${again} />`}
    ${data.error && html`<${Later} load=${() => import("./failed.js")} error=${data.error} />`}
    <div class="match" ref=${keyed} tabindex="-1">
      <${Played} data=${data} shown=${shown} blunders=${blunders}>${data.state === "ended" && data.view === "all" && total > 0 && html`<${Later} load=${() => import("./evaluation.js")} key=${path} path=${path} at=${at} total=${total} players=${data.players} told=${value} />`}<//>
      <${Panel} title="Turns" aside=${refused.length > 0 && html`<span class="soft small">${many(refused.length, "marked turn")}</span>`}>${total ? html`<${Turns} turns=${turns} total=${total} at=${at} go=${go} players=${data.players} blunders=${blunders} />` : html`<p class="empty">${data.state === "planned" ? "This match has not begun." : "No turn has been played yet."}</p>`}<//>
      <${Turn} me=${me} path=${path} as=${as} at=${at} turns=${turns} players=${data.players} game=${data.game} views=${data.views} />
    </div>
    ${isOpen && html`<${Later} load=${() => import("./key_list.js")} isOpen=${true} close=${() => open(false)} />`}</div>`;
}

function copyLink() {
  navigator.clipboard.writeText(location.href).then(() => say("The link is copied."), () => say("The link cannot be copied here; it stands in the address bar.", true));
}

/** Whose eyes the page uses. */
function Eyes({ data, look }) {
  return html`<div class="with"><span class="small soft" id="eyes">seen by</span><div class="tabs" role="group" aria-labelledby="eyes">${data.views.map((own) => html`<button type="button" key=${own.view} aria-pressed=${String(own.view === data.view)} onClick=${() => look(String(own.view))}>${own.title}</button>`)}</div></div>`;
}

function Tools({ run, data, path, as, place, me, again, open }) {
  const match = path.split("/").at(-1);
  const { previous, next } = data.neighbours ?? {};
  const [isSaving, save] = useState(false);
  const [isLending, lend] = useState(false);
  return html`<div class="with">${previous && html`<a class="button" href=${`/run/${run}/match/${previous}`}>Previous match</a>`}${next && html`<a class="button" href=${`/run/${run}/match/${next}`}>Next match</a>`}
    ${data.state === "playing" && html`<${Later} load=${() => import("./cancel.js")} path=${path} me=${me} again=${again} />`}
    ${data.downloads.length > 0 && html`<details class="menu" onToggle=${() => save(true)}><summary class="button">Download</summary>${isSaving && html`<${Later} load=${() => import("./saving.js")} run=${run} match=${match} data=${data} path=${path} as=${as} place=${place} />`}</details>`}
    ${mayHold(me) && html`<button type="button" onClick=${() => lend(true)}>Spectator links</button>`}${isLending && html`<${Later} load=${() => import("./links.js")} run=${run} match=${match} close=${() => lend(false)} />`}
    <button type="button" onClick=${copyLink}>Copy link</button><button type="button" onClick=${open}>Keys</button></div>`;
}
