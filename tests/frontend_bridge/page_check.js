// Appended to a page by page_test, which shows it in a frame: looks at it once it is drawn, as it comes and with all that is folded
// unfolded, and writes into the document around it what is wrong, or that nothing is, and the page's text as one reads it.
const width = document.documentElement.clientWidth, wrong = [];
let seen = "";

// What of an element's insides cannot be seen beyond its box; null if there is no such element around.
function clipOf(node) {
  for (let e = node.parentElement; e && e !== document.body; e = e.parentElement)
    if (getComputedStyle(e).overflowX !== "visible") return e;
  return null;
}
function isFolded(node) {
  const within = node.parentElement.closest("details:not([open])");
  return within && !node.parentElement.closest("summary");
}

// How much lighter the lighter one of two colours is, as the web's accessibility guidelines have it.
function contrast(a, b) {
  const light = ([r, g, b]) => [r, g, b].map(v => v / 255).map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4).reduce((sum, v, k) => sum + v * [0.2126, 0.7152, 0.0722][k], 0);
  return (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
}
function contrastOf(e) {
  const parts = colour => colour.match(/[\d.]+/g).map(Number), style = getComputedStyle(e);
  for (let behind = e; behind; behind = behind.parentElement) {
    const back = parts(getComputedStyle(behind).backgroundColor);
    if (back.length < 4 || back[3] > 0) return contrast(parts(e instanceof SVGElement ? style.fill : style.color), back);
  }
  return 1;  // nobody said what is behind it
}

function look() {
  if (document.documentElement.scrollWidth > width) wrong.push(`the page is ${document.documentElement.scrollWidth} wide`);
  // Each line of text that can be seen; those in boxes that scroll are left to these.
  const lines = [];
  const walker = document.createTreeWalker(document.getElementById("page"), NodeFilter.SHOW_TEXT);
  for (let node; (node = walker.nextNode());) {
    const words = node.data.trim().slice(0, 40), clip = clipOf(node);
    if (/^(0|true|false|null|undefined|NaN)$/.test(words)) wrong.push(`no words: ${words} in ${node.parentElement.parentElement.innerText.slice(0, 40)}`);
    if (!words || isFolded(node) || (clip && getComputedStyle(clip).overflowX === "auto")) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const r of range.getClientRects()) {
      if (r.width < 1 || r.height < 1) continue;
      if (contrastOf(node.parentElement) < 4.5) wrong.push(`hard to read: ${words}`);
      if (r.left < 0 || r.right > width + 1) wrong.push(`cut by the window: ${words}`);
      const c = clip && clip.getBoundingClientRect();
      if (c && (r.left < c.left - 1 || r.right > c.right + 1 || r.top < c.top - 1 || r.bottom > c.bottom + 1)) wrong.push(`cut by a box: ${words}`);
      // Lines may be set closer than their rectangles are high.
      lines.push({left: r.left, right: r.right, top: r.top + 0.2 * r.height, bottom: r.bottom - 0.2 * r.height, words});
    }
  }
  lines.sort((a, b) => a.top - b.top);
  for (let i = 0; i < lines.length; i++)
    for (let k = i + 1; k < lines.length && lines[k].top < lines[i].bottom; k++)
      if (lines[i].left < lines[k].right - 1 && lines[k].left < lines[i].right - 1) wrong.push(`overlap: ${lines[i].words} | ${lines[k].words}`);
  const boxes = [...document.querySelectorAll(".card")].map(e => [e, e.getBoundingClientRect()]);
  boxes.forEach(([e, a], i) => boxes.slice(i + 1).forEach(([f, b]) => {
    if (a.left < b.right && b.left < a.right && a.top < b.bottom - 1 && b.top < a.bottom - 1)
      wrong.push(`cards overlap: ${e.innerText.slice(0, 40)} | ${f.innerText.slice(0, 40)}`);
  }));
  seen += `${seen ? ", " : ""}${lines.length} lines in ${boxes.length} cards`;
}

addEventListener("load", () => {
  look();
  const text = document.getElementById("page").innerText;
  for (const d of document.querySelectorAll("details")) d.open = true;
  redraw();
  look();
  const out = parent.document.createElement("pre");
  out.textContent = `[width ${width}, ${seen}: ${wrong.length ? wrong.slice(0, 10).join("; ") : "all is well"}]\n${text}`;
  parent.document.body.append(out);
});
