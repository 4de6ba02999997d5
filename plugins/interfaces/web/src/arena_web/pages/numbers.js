// Numbers as they are written: with their interval and n, and with no more digits than the interval warrants.
import { html, number, shown } from "./html.js";

const NOTHING = "–";

export const isEstimate = (cell) => cell !== null && typeof cell === "object" && "value" in cell;
const isFinite = (value) => typeof value === "number" && Number.isFinite(value);
export const bounds = (cell) => (Array.isArray(cell.interval) ? cell.interval : [cell.low ?? null, cell.high ?? null]);

/** The decimals with which an interval of this width shows two significant digits. */
function digitsOf(width, style) {
  if (!isFinite(width) || width <= 0) return { share: 1, count: 0, money: 4 }[style] ?? 2;
  return Math.min(Math.max(1 - Math.floor(Math.log10(width)), 0), 6);
}

function plain(value, digits) {
  const text = Math.abs(value).toLocaleString("en-US", { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return value < 0 && /[1-9]/.test(text) ? `−${text}` : text;
}
const withUnit = (text, style) => ({ share: `${text} %`, money: `$${text}`, seconds: `${text} s` })[style] ?? text;
const scaled = (value, style) => (style === "share" ? 100 * value : value);

/** A number without an interval, as text. */
export function written(value, style = "number") {
  if (value === null || value === undefined) return NOTHING;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "number") return String(value);
  if (Number.isInteger(value) && !["share", "money", "seconds"].includes(style)) return value < 0 ? `−${number(-value)}` : number(value);
  const own = scaled(value, style);
  if (style === "money") return own === 0 ? "$0" : `$${own < 0.1 ? Number(own.toPrecision(2)) : plain(own, 2)}`;
  if (own !== 0 && Math.abs(own) < 0.001) return withUnit(own.toExponential(0), style);
  return withUnit(plain(own, Number.isInteger(own) && style === "share" ? 0 : digitsOf(null, style)), style);
}

/** The value, the interval and the n of an estimate as texts. */
export function parts(cell, style = "number", least = null) {
  const n = cell.n === undefined ? "" : `n=${number(cell.n ?? 0)}${!cell.unit || cell.unit === "matches" ? "" : ` ${cell.unit}`}`;
  if (!isFinite(cell.value)) return { value: NOTHING, interval: "", n };
  const [low, high] = bounds(cell).map((own) => (isFinite(own) ? scaled(own, style) : null));
  const value = scaled(cell.value, style);
  if (low === null && high === null) return { value: withUnit(plain(value, least ?? (Number.isInteger(value) ? 0 : digitsOf(null, style))), style), interval: "", n };
  let digits = digitsOf(low === null ? high - value : high === null ? value - low : high - low, style);
  const interval = low === null ? `[≤ ${plain(high, digits)}]` : high === null ? `[≥ ${plain(low, digits)}]` : `[${plain(low, digits)}, ${plain(high, digits)}]`;
  if (digits === 0 && style !== "share" && Math.abs(value) < 10 && !Number.isInteger(value)) digits = 1;
  return { value: withUnit(plain(value, digits), style), interval, n };
}

/** An estimate in words, for figures. */
export const told = (cell, style, digits) => Object.values(parts(cell, style, digits)).filter(Boolean).join(" ");

/** A cell of a table: text, a number, or an estimate. */
export function Cell({ cell, style = "number", digits = null }) {
  if (!isEstimate(cell)) return html`${written(cell, style)}`;
  const { value, interval, n } = parts(cell, style, digits);
  const how = [cell.method, cell.level && interval && `interval at ${Math.round(100 * cell.level)} %`].filter(Boolean).join("; ");
  return html`<span class="estimate" title=${shown(how)}><b>${value}</b>${interval && html` <span class="soft">${interval}</span>`} <span class="n">${n}</span></span>`;
}

/** A span of seconds in words. */
export function lasting(seconds) {
  if (!isFinite(seconds)) return NOTHING;
  if (seconds < 10) return `${seconds.toFixed(seconds < 1 ? 2 : 1)} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 5400) return `${Math.round(seconds / 60)} min`;
  return seconds < 172800 ? `${Math.floor(seconds / 3600)} h ${Math.round((seconds % 3600) / 60)} min` : `${Math.round(seconds / 86400)} days`;
}

/** A moment, absolute, with how long ago it was as its title. */
export function When({ time }) {
  const moment = new Date(time ?? NaN);
  if (Number.isNaN(moment.getTime())) return html`${NOTHING}`;
  const text = moment.toISOString();
  const ago = (Date.now() - moment.getTime()) / 1000;
  return html`<time datetime=${text} title=${ago >= 0 ? `${lasting(ago)} ago` : `in ${lasting(-ago)}`}>${text.slice(0, 10)} ${text.slice(11, 16)} UTC</time>`;
}
