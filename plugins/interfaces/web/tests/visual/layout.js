// What a page's layout shows to be wrong: a list of {rule, text, where}. `view` says what is expected of the page.
(view) => {
  const RAW = ".detail pre, textarea, [data-raw]"; // what a program wrote, shown as it is
  const UNSEEN = ".unseen, .scene-unseen, .skip, script, style, noscript, template, .beside-the-page";
  const LETTERS = /[\p{L}\p{N}\p{M}’']{2,}/gu;
  const LONGEST = 30; // a longer word fits on no telephone
  const COLUMNS = 12; // a wider table may scroll in itself on a desk
  const TOLERANCE = 2; // pixels
  const PROTOCOL = /[{}]|\\u[0-9a-f]{4}|\bnull\b|\bundefined\b|\bNaN\b|\bNone\b(?! of| has| is)|\[object/;
  const SHOWN_ATTRIBUTES = ["title", "alt", "placeholder", "aria-label"];
  const found = new Map();

  const told = (element) => {
    const names = [];
    for (let at = element; at && at !== document.body && names.length < 4; at = at.parentElement) {
      const classes = typeof at.className === "string" ? at.className : at.className?.baseVal ?? "";
      names.unshift(at.tagName.toLowerCase() + (at.id ? `#${at.id}` : classes.trim() ? `.${classes.trim().split(/\s+/).slice(0, 2).join(".")}` : ""));
    }
    return names.join(" > ");
  };
  const report = (rule, text, element) => {
    const own = { rule, text: String(text).replace(/\s+/g, " ").trim().slice(0, 100), where: told(element) };
    const key = `${rule} ${own.where}`;
    if (!found.has(key)) found.set(key, { ...own, times: 0 });
    found.get(key).times += 1;
  };
  const styles = new Map();
  const styleOf = (element) => {
    if (!styles.has(element)) styles.set(element, getComputedStyle(element));
    return styles.get(element);
  };
  const isSeen = (element) => !element.closest(UNSEEN) && element.checkVisibility({ opacityProperty: true, visibilityProperty: true });

  /** The boxes above an element that cut what lies beyond them, from the nearest. */
  const cutters = new Map();
  const cuttersOf = (element) => {
    if (!element || element === document.documentElement || element === document.body) return [];
    if (!cutters.has(element)) {
      const style = styleOf(element);
      const above = style.position === "fixed" ? [] : cuttersOf(element.parentElement);
      const cuts = [style.overflowX, style.overflowY].map((own) => own !== "visible") ;
      const isInline = style.display === "inline" || (element instanceof SVGElement && element.tagName !== "svg");
      cutters.set(element, (cuts[0] || cuts[1]) && !isInline ? [{ element, style, box: element.getBoundingClientRect() }, ...above] : above);
    }
    return cutters.get(element);
  };

  /** The corners of a text in a picture, turned as it is turned. */
  const cornersOf = (element) => {
    const box = element.getBBox();
    const to = element.getScreenCTM();
    const at = (x, y) => new DOMPoint(x, y).matrixTransform(to);
    const inset = 0.18 * box.height;
    return [at(box.x, box.y + inset), at(box.x + box.width, box.y + inset), at(box.x + box.width, box.y + box.height - inset), at(box.x, box.y + box.height - inset)];
  };
  const rectangle = ({ left, right, top, bottom }) => [{ x: left, y: top }, { x: right, y: top }, { x: right, y: bottom }, { x: left, y: bottom }];
  const bounds = (corners) => ({
    left: Math.min(...corners.map((own) => own.x)), right: Math.max(...corners.map((own) => own.x)),
    top: Math.min(...corners.map((own) => own.y)), bottom: Math.max(...corners.map((own) => own.y)),
  });
  /** How far two convex shapes reach into each other, in pixels; nothing where a line parts them. */
  const depth = (one, other) => {
    let least = Infinity;
    for (const shape of [one, other])
      for (let side = 0; side < 2; side += 1) {
        const [a, b] = [shape[side], shape[side + 1]];
        const length = Math.hypot(b.x - a.x, b.y - a.y) || 1;
        const [nx, ny] = [(b.y - a.y) / length, (a.x - b.x) / length];
        const spans = [one, other].map((own) => own.map((point) => point.x * nx + point.y * ny));
        least = Math.min(least, Math.min(Math.max(...spans[0]), Math.max(...spans[1])) - Math.max(Math.min(...spans[0]), Math.min(...spans[1])));
      }
    return least;
  };

  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (!node.data.trim() || !isSeen(element)) continue;
    const isDrawn = element instanceof SVGElement;
    const isRaw = Boolean(element.closest(RAW));
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = isDrawn ? [element.getBoundingClientRect()] : [...range.getClientRects()].filter((own) => own.width > 0.5 && own.height > 0.5);
    if (!lines.length) continue;
    if (!isRaw) readText(node, element);
    if (!isDrawn && !isRaw && lines.length > 1) findBroken(node, element, range);
    const style = styleOf(element);
    const size = parseFloat(style.fontSize);
    for (const line of lines) {
      const inset = Math.max(0, (line.height - 0.74 * size) / 2); // of a line, only as high as its letters
      let corners = isDrawn && element.getBBox ? cornersOf(element) : rectangle({ left: line.left, right: line.right, top: line.top + inset, bottom: line.bottom - inset });
      const seen = seenOf(corners, element, node);
      if (seen) boxes.push({ ...bounds(seen.corners), corners: seen.corners, node, element, isDrawn });
    }
  }

  /** What of a text's box is in sight; what is cut off for good is a finding. */
  function seenOf(corners, element, node) {
    let box = bounds(corners);
    const whole = box;
    for (const { element: cutter, style, box: limit } of cuttersOf(element)) {
      const scrolls = { x: ["auto", "scroll"].includes(style.overflowX), y: ["auto", "scroll"].includes(style.overflowY) };
      const beyond = { x: Math.max(limit.left - box.left, box.right - limit.right), y: Math.max(limit.top - box.top, box.bottom - limit.bottom) };
      if (beyond.x > TOLERANCE && style.overflowX !== "visible" && !scrolls.x) report("cut", node.data, element);
      else if (beyond.x > TOLERANCE && scrolls.x && !element.closest(RAW) && mayNotScroll(cutter)) report("scrolls sideways", node.data, cutter);
      if (beyond.y > TOLERANCE && style.overflowY !== "visible" && !scrolls.y) report("cut", node.data, element);
      box = { left: Math.max(box.left, limit.left), right: Math.min(box.right, limit.right), top: Math.max(box.top, limit.top), bottom: Math.min(box.bottom, limit.bottom) };
      if (box.right - box.left < 1 || box.bottom - box.top < 1) return null;
    }
    if (!isPinned(element) && (whole.left < -TOLERANCE || box.right > document.documentElement.clientWidth + TOLERANCE)) report("cut", node.data, element);
    return { corners: box.left === whole.left && box.right === whole.right && box.top === whole.top && box.bottom === whole.bottom ? corners : rectangle(box) };
  }
  function mayNotScroll(cutter) {
    if (innerWidth < 900) return true;
    const row = cutter.querySelector("tr");
    return !row || row.children.length <= COLUMNS;
  }
  function isPinned(element) {
    for (let at = element; at && at !== document.body; at = at.parentElement)
      if (["fixed", "sticky"].includes(styleOf(at).position)) return true;
    return false;
  }

  /** Words whose letters stand on two lines. */
  function findBroken(node, element, range) {
    for (const word of node.data.matchAll(LETTERS)) {
      if (word[0].length > LONGEST) continue;
      range.setStart(node, word.index);
      range.setEnd(node, word.index + word[0].length);
      const tops = [...range.getClientRects()].filter((own) => own.width > 0.5);
      if (tops.length > 1 && Math.max(...tops.map((own) => own.top)) - Math.min(...tops.map((own) => own.top)) > tops[0].height / 2) report("broken word", `${word[0]} in ${node.data}`, element);
    }
  }

  /** What a text says that no person should read, and shares that are none. */
  function readText(node, element) {
    const text = node.data;
    if (PROTOCOL.test(text)) report("protocol", text, element);
    for (const [, sign, digits] of text.matchAll(/(^|[\s([,–:=]|[−-])(\d[\d,]*(?:\.\d+)?)\s?%/g)) {
      const value = Number(digits.replaceAll(",", ""));
      if (value > 100 || (/[−-]/.test(sign) && value > 100)) report("share", text, element);
    }
    const color = /^rgb\((\d+), (\d+), (\d+)\)/.exec(styleOf(element).color)?.slice(1).map(Number);
    if (color && /\b(lost|loses|loss|losses)\b/i.test(text) && color[1] > color[0] + 30 && color[1] > color[2] + 20) report("green loss", text, element);
  }

  for (const own of document.querySelectorAll(".estimate")) {
    if (!isSeen(own) || !own.textContent.includes("%") || /differ|−|\+/.test(own.closest("table")?.textContent ?? "")) continue;
    const numbers = own.textContent.replace(/n\s?=.*$/, "").match(/\d+(?:\.\d+)?/g) ?? [];
    if (numbers.some((each) => Number(each) > 100)) report("share", own.textContent, own);
  }
  for (const own of document.body.querySelectorAll("*")) {
    if (own.closest(RAW) || !isSeen(own)) continue;
    for (const name of SHOWN_ATTRIBUTES) {
      const text = own.getAttribute(name);
      if (text && PROTOCOL.test(text)) report("protocol", `${name}: ${text}`, own);
    }
    if (own.tagName === "INPUT" && own.type === "text" && PROTOCOL.test(own.value)) report("protocol", `value: ${own.value}`, own);
    if (styleOf(own).textOverflow === "ellipsis" && own.scrollWidth > own.clientWidth + TOLERANCE) report("cut", own.textContent, own);
    if (own.tagName === "BUTTON" && own.scrollWidth > own.clientWidth + TOLERANCE && styleOf(own).overflowX === "visible" && styleOf(own).display !== "inline") report("cut", own.textContent, own);
  }

  // Texts that lie on each other.
  boxes.sort((one, other) => one.top - other.top);
  for (let at = 0; at < boxes.length; at += 1)
    for (let next = at + 1; next < boxes.length && boxes[next].top < boxes[at].bottom - TOLERANCE; next += 1) {
      const [one, other] = [boxes[at], boxes[next]];
      if (one.node === other.node || one.right - TOLERANCE <= other.left || other.right - TOLERANCE <= one.left) continue;
      if (one.node.data === other.node.data && Math.abs(one.left - other.left) < 2 && Math.abs(one.top - other.top) < 2) continue; // an outline of itself
      if (isPinned(one.element) !== isPinned(other.element)) continue;
      if (depth(one.corners, other.corners) > TOLERANCE) report("overlap", `${one.node.data} / ${other.node.data}`, other.element);
    }

  // Axes of pictures: numbers without a name say nothing.
  for (const axis of document.querySelectorAll("svg [aria-label*='-axis']")) {
    const said = axis.getAttribute("aria-label");
    if (/for a (?:linear|log|time|sqrt|pow|utc) scale/.test(said) && !said.includes("titled")) report("axis without a name", said, axis);
  }

  for (const axis of document.querySelectorAll("svg [id^='matplotlib.axis']")) {
    const [ticks, others] = [[], []];
    for (const text of axis.querySelectorAll("text")) (text.closest("[id*='tick_']") ? ticks : others).push(text.textContent.trim());
    if (ticks.length > 1 && ticks.every((own) => /^[−-]?[\d.,]+ ?%?$/.test(own)) && !others.length && !document.querySelector("svg [id^='figure'] > [id^='text_']")) report("axis without a name", ticks.join(" "), axis);
  }

  if (document.documentElement.scrollWidth > document.documentElement.clientWidth) report("page scrolls sideways", `${document.documentElement.scrollWidth} px in ${document.documentElement.clientWidth}`, document.documentElement);

  // What is to be seen without scrolling.
  for (const [name, pattern] of Object.entries(view.above ?? {})) {
    const sought = new RegExp(pattern, "u");
    const texts = boxes.filter((own) => own.element.closest("main, body > *") && !own.element.closest("header, nav, .crumbs") && sought.test(own.node.data));
    const marks = [...document.querySelectorAll("main [aria-label]")].filter((own) => own.tagName === "SPAN" && sought.test(own.getAttribute("aria-label"))).map((own) => own.getBoundingClientRect());
    const highest = Math.min(...[...texts, ...marks].map((own) => own.bottom));
    if (!(highest <= view.height)) report("below the fold", `${name}: ${Number.isFinite(highest) ? `${Math.round(highest)} px` : "nowhere"}`, document.body);
  }
  return [...found.values()];
}
