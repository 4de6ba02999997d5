// Who plays in a seat: a computing agent, a model, or a person.
import { Choice, Folded, Typed } from "./field.js";
import { html } from "./html.js";
import { Badge, Later } from "./parts.js";

const KINDS = [["agent", "a computing agent"], ["model", "a model"], ["person", "a person"]];
/** Agents that stand in the list as another kind, or play at a terminal. */
const OTHERS = ["llm", "open-seat", "human"];

/** What a player is called in the queue. */
export const nameOf = ({ kind, use, backend, title }) => ({ agent: use, model: String(backend.parameters.model || backend.use || "a model"), person: title || "a person" })[kind];

export function Player({ seat, name, player, put, choices, position, wrongAt, draft }) {
  const title = [...new Set([`Player ${seat + 1}`, (name ?? "").replace(/^player /, "Player ")])].filter(Boolean).join(", ");
  const kinds = KINDS.filter(([kind]) => (kind !== "person" || choices.has_open_seat) && (kind !== "model" || choices.backends.length > 0));
  const choose = (kind) => {
    if (kind === "model" && !player.backend.use) put(["backend", "use"], String(choices.backends[0].name));
    put(["kind"], kind);
  };
  return html`<fieldset class="seat"><legend><${Badge} player=${seat} /> ${title}</legend>
    <${Choice} label="Who plays" value=${player.kind} options=${kinds} put=${choose} wrong=${wrongAt("").filter((own) => ["", "/kind"].includes(own.path))} />
    ${player.kind === "agent" && html`<${Agent} title=${title} player=${player} put=${put} choices=${choices} position=${position} wrongAt=${wrongAt} />`}
    ${player.kind === "model" && html`<${Later} load=${() => import("./new_model.js")} title=${title} player=${player} put=${put} choices=${choices} position=${position} wrongAt=${wrongAt} draft=${draft} />`}
    ${player.kind === "person" && html`<${Typed} label="Called" hint="its seat is opened by a link, here or elsewhere, which the run's page gives" value=${player.title} wrong=${wrongAt("/title")} put=${(next) => put(["title"], next)} />`}</fieldset>`;
}

function Agent({ title, player, put, choices, position, wrongAt }) {
  const able = choices.agents.filter((own) => !OTHERS.includes(own.name) && (!position || position.agents.includes(own.name)));
  const agent = choices.agents.find((own) => own.name === player.use);
  const names = able.map((own) => String(own.name));
  const listed = names.includes(player.use) ? names : [player.use, ...names];
  const choose = (use) => {
    put(["use"], use);
    put(["parameters"], {});
  };
  return html`<${Choice} label="Agent" hint=${agent?.title ?? null} value=${player.use} options=${listed.map((own) => [own, names.includes(own) ? own : `${own} (cannot play this)`])} wrong=${wrongAt("/use")} put=${choose} />
    ${agent && html`<${Folded} key=${agent.name} schema=${agent.schema} value=${player.parameters} change=${(next) => put(["parameters"], next)} label=${title} wrong=${wrongAt("/parameters")} />`}`;
}
