// Pictures of positions: a scene is drawn beside the page, copied into an SVG together with its style, and painted.
import { ask, query } from "./api.js";
import { scenesOf } from "./board.js";
import { SVG, SceneView } from "./scene.js";

const [WIDTH, MARGIN, SCALE, LARGEST] = [560, 16, 2, 8192];
const CHUNK = 100;

/** Draws scenes one after another, so that what changed is marked as on the page. */
class Painter {
  static async begin() {
    const texts = ["arena.css", "scene.css"].map(async (name) => (await fetch(`/static/${name}`, { credentials: "omit" })).text());
    return new Painter((await Promise.all(texts)).join("\n"));
  }
  constructor(style) {
    this.style = style;
    this.view = new SceneView();
    this.place = Object.assign(document.createElement("div"), { className: "beside-the-page", inert: true });
    this.place.append(this.view.element);
    document.body.append(this.place);
  }
  end() {
    this.place.remove();
  }
  /** The picture of a scene, as PNG in the colours of the page. */
  async png(scene) {
    this.view.show(scene);
    const { body } = this.view;
    await Promise.all([...body.querySelectorAll("img")].map((own) => own.decode()));
    const [width, height] = [WIDTH + 2 * MARGIN, Math.ceil(body.getBoundingClientRect().height) + 2 * MARGIN];
    const image = new Image();
    image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(this.#svg(body, width, height))}`;
    await image.decode();
    const scale = Math.min(SCALE, LARGEST / height);
    const canvas = Object.assign(document.createElement("canvas"), { width: Math.round(width * scale), height: Math.round(height * scale) });
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    return new Promise((done, failed) => canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("the browser paints no picture of this size"))), "image/png"));
  }
  #svg(body, width, height) {
    const scheme = getComputedStyle(document.documentElement);
    const isDark = scheme.backgroundColor !== "rgb(255, 255, 255)";
    const picture = document.createElementNS(SVG, "svg");
    for (const [key, value] of Object.entries({ width, height, viewBox: `0 0 ${width} ${height}` })) picture.setAttribute(key, value);
    const style = document.createElementNS(SVG, "style");
    style.textContent = `${this.style}\n:root { color-scheme: ${isDark ? "dark" : "light"} !important; } .paper { height: ${height}px; padding: ${MARGIN}px; background: ${scheme.backgroundColor}; color: ${scheme.color}; font: ${scheme.font}; }`;
    const space = document.createElementNS(SVG, "foreignObject");
    for (const [key, value] of Object.entries({ width, height })) space.setAttribute(key, value);
    const paper = Object.assign(document.createElement("div"), { className: "paper" });
    const scene = Object.assign(document.createElement("div"), { className: "scene" });
    scene.append(body.cloneNode(true));
    paper.append(scene);
    space.append(paper);
    picture.append(style, space);
    return new XMLSerializer().serializeToString(picture);
  }
}

function save(blob, name) {
  const link = Object.assign(document.createElement("a"), { href: URL.createObjectURL(blob), download: name });
  document.body.append(link);
  link.click();
  link.remove();
  setTimeout(() => URL.revokeObjectURL(link.href), 60000);
}

async function scenes(path, as, from, to) {
  const answer = await ask(`${path}/frames${query({ as, from: String(from), to: String(to) })}`);
  return { found: scenesOf(answer.frames), total: answer.total, problem: answer.problem };
}

const nameOf = (path, place, digits = 1) => `${path.split("/").filter((own) => own && own !== "run" && own !== "match").join("-")}-position-${String(place).padStart(digits, "0")}.png`;

/** Save one position as PNG. */
export async function saveOne(path, as, place) {
  const { found } = await scenes(path, as, Math.max(0, place - 1), place);
  if (!found.length) throw new Error("there is no picture of this position");
  const painter = await Painter.begin();
  try {
    let blob = null;
    for (const scene of found) blob = await painter.png(scene);
    save(blob, nameOf(path, place));
  } finally {
    painter.end();
  }
}

/** Save all positions as PNGs in a ZIP; `tell` is called with how many are drawn. */
export async function saveAll(path, as, total, tell) {
  const painter = await Painter.begin();
  try {
    const files = [];
    for (let from = 0; from < total; from += CHUNK) {
      const { found } = await scenes(path, as, from, Math.min(total, from + CHUNK) - 1);
      if (!found.length) throw new Error("there is no picture of these positions");
      for (const scene of found) {
        const blob = await painter.png(scene);
        files.push([nameOf(path, files.length, String(total - 1).length), new Uint8Array(await blob.arrayBuffer())]);
        tell(files.length);
      }
    }
    save(zip(files), `${nameOf(path, "all").replace(/-position-all.png$/, "")}-positions.zip`);
  } finally {
    painter.end();
  }
}

// ---- ZIP: files as they are, since PNGs are packed already ------------------------------------------------------------

const SUMS = Uint32Array.from({ length: 256 }, (_, n) => {
  let sum = n;
  for (let bit = 0; bit < 8; bit++) sum = sum & 1 ? (sum >>> 1) ^ 0xedb88320 : sum >>> 1;
  return sum >>> 0;
});

function crc(bytes) {
  let sum = 0xffffffff;
  for (const byte of bytes) sum = SUMS[(sum ^ byte) & 255] ^ (sum >>> 8);
  return (sum ^ 0xffffffff) >>> 0;
}

/** Numbers of two bytes, or of four where they are given as lists, the smallest byte first. */
function packed(...numbers) {
  return Uint8Array.from(numbers.flatMap((own) => (Array.isArray(own) ? [own[0], own[0] >>> 8, own[0] >>> 16, own[0] >>> 24] : [own, own >>> 8])).map((byte) => byte & 255));
}

function zip(files) {
  const [parts, contents, day] = [[], [], 0x21]; // the first of January 1980: equal positions, equal bytes
  let at = 0;
  for (const [name, bytes] of files) {
    const letters = new TextEncoder().encode(name);
    const about = packed(20, 0x0800, 0, 0, day, [crc(bytes)], [bytes.length], [bytes.length], letters.length, 0);
    parts.push(packed([0x04034b50]), about, letters, bytes);
    contents.push(packed([0x02014b50], 20), about, packed(0, 0, 0, [0], [at]), letters);
    at += 4 + about.length + letters.length + bytes.length;
  }
  const size = contents.reduce((sum, own) => sum + own.length, 0);
  return new Blob([...parts, ...contents, packed([0x06054b50], 0, 0, files.length, files.length, [size], [at], 0)], { type: "application/zip" });
}
