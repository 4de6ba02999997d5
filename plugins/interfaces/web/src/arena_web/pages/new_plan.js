// What was filled in for new matches: kept by the browser without keys, and made into the plan that the server takes.

const KEPT = "arena.new-match";
export const REFUSALS = ["0", "3", "6", "7", "15"];

const player = (use = "random") => ({ kind: "agent", use, parameters: {}, backend: { use: "", parameters: {} }, prompt: {}, asking: {}, title: "You" });
const pairing = { game: { use: "", parameters: {} }, players: [player(), player()], repeats: "3", rotate: true };

/** What stands there before anything is filled in; the policy is the one of every benchmark that names none. */
export const blank = ({ policy: { retries, max_refusals: most, then } }) => structuredClone({ pairings: [pairing], at: 0, seed: "0", name: "", policy: { use: "", ...counted(most ?? retries), per: most === null ? "turn" : "match", then } });
const counted = (number) => (REFUSALS.includes(String(number)) ? { count: String(number), other: "" } : { count: "", other: String(number) });

/** What was filled in before in this tab; in a new tab what was filled in last anywhere. */
export function kept(choices) {
  try {
    const found = JSON.parse(sessionStorage.getItem(KEPT) ?? localStorage.getItem(KEPT));
    return found?.pairings?.length ? { ...blank(choices), ...found } : blank(choices);
  } catch {
    return blank(choices);
  }
}

export function keep(draft) {
  for (const storage of [sessionStorage, localStorage]) storage.setItem(KEPT, JSON.stringify(draft));
}

/** As many players as a game has: those that were there, then random ones. */
export const seated = (players, count) => Array.from({ length: count }, (_, seat) => players[seat] ?? player());

/** Whom a backend asks where no address says it; other backends are told by the first part of the model's name. */
const PROVIDERS = { "openai-compatible": "openai" };

/** The name under which the server keeps the key of a model: of its own server, of its provider, or of its backend. */
export function keyName({ use, parameters }) {
  const word = (text) => text.toUpperCase().replaceAll(/[^A-Z0-9]+/g, "_");
  const server = Object.entries(parameters).find(([name]) => name.endsWith("url"))?.[1];
  if (server) return `KEY_${word(String(server).replace(/^\w+:\/\//, "").split("/")[0])}`;
  const [provider, model] = String(parameters.model ?? "").split("/");
  return `${word(PROVIDERS[use] ?? (model ? provider : use)).replace(/^(?=\d)/, "_")}_API_KEY`;
}

/** A number as it was typed, or the text where it is none: the server says what is wrong with it. */
const numeral = (text) => (/^-?\d+$/.test(String(text).trim()) ? Number(text) : String(text).trim() || null);

/** What tells a model from itself where positions are shown to it in another form. */
const named = ({ use, parameters }, { form }) => (form ? { name: `${parameters.model || use}-${form}`.split("/").at(-1).replaceAll(/[\s,]+/g, "-") } : {});

const told = ({ kind, use, parameters, backend, prompt, asking, title }, keys) => ({
  agent: { kind, use, parameters },
  model: { kind, backend: { use: backend.use, ...backend.parameters }, key: keys.includes(keyName(backend)) ? keyName(backend) : null, prompt, parameters: asking, ...named(backend, prompt) },
  person: { kind, title: title.trim() },
})[kind];

function policyOf({ use, count, other, per, then }) {
  if (use) return use;
  const most = numeral(count || other);
  return per === "match" ? { retries: most, "max-refusals": most, then } : { retries: most, then };
}

/**
 * The plan, and `placeOf`, which finds where in the form a place of the plan was filled in.
 *
 * The same player in two pairs is one agent; two that are alike in one pair are two.
 */
export function planOf(draft, keys = []) {
  const [players, seats] = [[], []];
  const queue = draft.pairings.map(({ game, players: own, repeats, rotate }, item) => {
    const taken = [];
    for (const [seat, each] of own.entries()) {
      const plain = JSON.stringify(told(each, keys));
      let found = players.findIndex((other, place) => !taken.includes(place) && JSON.stringify(other) === plain);
      if (found < 0) found = players.push(JSON.parse(plain)) - 1;
      seats[found] ??= [item, seat];
      taken.push(found);
    }
    return { game: { use: game.use, ...game.parameters }, players: taken, repeats: numeral(repeats), rotate_seats: rotate };
  });
  const plan = { ...(draft.name.trim() ? { name: draft.name.trim() } : {}), seed: numeral(draft.seed), players, queue, illegal_actions: policyOf(draft.policy) };
  const placeOf = (pointer) => {
    const [, what = "", place = "", ...rest] = String(pointer).split("/");
    if (what === "players" && seats[place]) return ["", "pairings", seats[place][0], "players", seats[place][1], ...rest].join("/");
    if (what === "illegal_actions") return "/illegal_actions";
    return what === "queue" ? ["", "pairings", place, ...rest].join("/") : String(pointer);
  };
  return { plan, placeOf };
}

/** How many matches a pairing has. */
export const matchesOf = ({ repeats, rotate, players }) => numeral(repeats) * (rotate ? players.length : 1);
