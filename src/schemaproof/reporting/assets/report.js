"use strict";
// Everything of a page or a model reaches the document as text: textContent and nothing else.
(() => {
  const $ = (id) => document.getElementById(id);
  const make = (tag, className, text) => {
    const element = document.createElement(tag);
    if (className) element.className = className;
    if (text !== undefined) element.textContent = text;
    return element;
  };
  const unpack = async (id) => {
    const raw = atob($(id).textContent.trim());
    const bytes = Uint8Array.from(raw, (char) => char.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
    return JSON.parse(await new Response(stream).text());
  };
  const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  const SIGNS = { keep: "✓", reject: "✕", unclear: "?", below: "↳" };
  const WORDS = { keep: "kept", reject: "rejected", unclear: "unclear", below: "gone with a rejected entity" };
  // Invisible marks that turn the direction of writing are shown, not obeyed.
  const visible = (text) => String(text).replace(/[\u202a-\u202e\u2066-\u2069\u200e\u200f]/g, "\ufffd");
  const state = { index: null, page: -1, pinned: null, data: null, points: null, ticket: 0 };

  // theme
  const themes = ["auto", "light", "dark"];
  const themeButton = $("theme");
  const setTheme = (name) => {
    if (name === "auto") delete document.documentElement.dataset.theme;
    else document.documentElement.dataset.theme = name;
    themeButton.textContent = `Theme: ${name}`;
    try { localStorage.setItem("schemaproof-theme", name); } catch { /* a file opened from disk may have no storage */ }
  };
  themeButton.addEventListener("click", () => {
    setTheme(themes[(themes.indexOf(document.documentElement.dataset.theme || "auto") + 1) % 3]);
  });
  let remembered = "auto";
  try { remembered = localStorage.getItem("schemaproof-theme") || "auto"; } catch { /* as above */ }
  setTheme(themes.includes(remembered) ? remembered : "auto");

  const filters = ["contender", "outcome", "rule", "property"].map((name) => $(`f-${name}`));
  const wanted = () => Object.fromEntries(filters.map((filter) => [filter.id.slice(2), filter.value]));
  const outcome = (row) => (row[5] === "reject" || row[5] === "unclear" ? `${row[5]} ${row[6]}`.trim() : row[5]);
  const ruleOf = (row) => { const said = row[8].find((verdict) => verdict[0] === row[6]); return said ? said[2] : ""; };
  const outcomeFits = (want, got) => !want || want === got || (want === "reject" && got.startsWith("reject")) || (want === "unclear" && got.startsWith("unclear"));
  const rowFits = (contender, row, want) =>
    (!want.contender || want.contender === contender) && outcomeFits(want.outcome, outcome(row)) &&
    (!want.rule || want.rule === ruleOf(row)) && (!want.property || want.property === row[2]);

  // evidence
  const showEvidence = (row) => {
    const pre = $("page-text");
    if (!pre) return;
    const spans = [];
    if (row) for (const verdict of row[8]) for (const [start, end] of verdict[7]) {
      if (start >= 0 && end > start && end <= state.points.length) spans.push([start, end]);
    }
    spans.sort((a, b) => a[0] - b[0] || b[1] - a[1]);
    pre.replaceChildren();
    let at = 0;
    let first = null;
    for (const [start, end] of spans) {
      if (end <= at) continue;
      const from = Math.max(start, at);
      pre.append(visible(state.points.slice(at, from).join("")));
      const mark = make("mark", "", visible(state.points.slice(from, end).join("")));
      pre.append(mark);
      first = first || mark;
      at = end;
    }
    pre.append(visible(state.points.slice(at).join("")));
    const number = pre.querySelectorAll("mark").length;
    $("page-text-note").textContent = row ? (number ? `${number} ${number === 1 ? "passage" : "passages"} highlighted` : "no passage to show") : "";
    if (first) pre.scrollTop += first.getBoundingClientRect().top - pre.getBoundingClientRect().top - pre.clientHeight / 3;
  };
  const whyOf = (row) => {
    const list = make("dl", "why");
    if (row[5] === "below") {
      list.append(make("dt", "", "gone with its entity"), make("dd", "", "No agent objects to this statement; it stands below an entity that was rejected."));
    }
    for (const [agent, verdict, rule, reason, probability, kind, suggestion, evidence] of row[8]) {
      const chance = typeof probability === "number" ? ` · probability ${probability.toFixed(2)}` : "";
      list.append(make("dt", "", `${agent}: ${verdict}${kind ? ` (${kind})` : ""}${chance}`));
      const text = make("dd", "", visible(reason || (verdict === "keep" ? "Nothing to object to." : "")));
      if (rule) text.append(" ", make("code", "", visible(rule)));
      if (suggestion) text.append(make("br"), `Instead: ${visible(suggestion)}`);
      for (const [start, , quote, where] of evidence) {
        text.append(make("span", "quote", visible(start >= 0 ? quote : `${where}: ${quote}`)));
      }
      list.append(text);
    }
    list.append(make("dt", "", "place"));
    const place = make("dd");
    place.append(make("code", "", visible(row[7] || "/")));
    list.append(place);
    return list;
  };

  const rowElement = (row) => {
    const item = make("li", `${row[5]} d${Math.min(5, row[0])}`);
    const button = make("button", "st");
    button.type = "button";
    button.setAttribute("aria-expanded", "false");
    const sign = make("span", "sign", SIGNS[row[5]]);
    sign.setAttribute("aria-hidden", "true");
    const body = make("span");
    const words = make("span", "p", visible(row[2]));
    body.append(words);
    if (row[4] !== null) body.append(make("span", "e", visible(row[4].join(", ") || "entity")));
    else body.append(make("span", "v", visible(row[3] === null ? "null" : row[3])));
    const hidden = make("span", "sr", ` – ${WORDS[row[5]]}`);
    body.append(hidden);
    button.append(sign, body);
    const preview = () => { if (!state.pinned) showEvidence(row); };
    button.addEventListener("mouseenter", preview);
    button.addEventListener("focus", () => showEvidence(row));
    button.addEventListener("mouseleave", () => { if (!state.pinned) showEvidence(null); });
    button.addEventListener("click", () => {
      const open = button.getAttribute("aria-expanded") === "true";
      button.setAttribute("aria-expanded", String(!open));
      if (open) { item.querySelector(".why").remove(); state.pinned = null; showEvidence(null); }
      else { item.append(whyOf(row)); state.pinned = row; showEvidence(row); }
    });
    item.append(button);
    return item;
  };

  const score = (value) => value.toFixed(3);
  const colour = (name) => `k${Math.max(0, state.index.contenders.indexOf(name)) % 6}`;
  const unitElement = (unit, want) => {
    const box = make("section", "unit");
    box.append(make("h4", "", visible(unit.types.join(", ") || "no type")));
    const told = unit.memr.map((pair) => `MeMR ${pair.a} ${score(pair.a_score)} : ${score(pair.b_score)} ${pair.b}`);
    box.append(make("p", "scores", visible(told.join("   ") || "no MeMR: nothing kept on either side, or a contender without markup")));
    const markups = make("div", "markups");
    for (const markup of unit.markups) {
      if (want.contender && want.contender !== markup.name) continue;
      const side = make("div", `markup ${colour(markup.name)}`);
      side.append(make("h5", "", visible(markup.name)));
      const { input, compliant, unclear } = markup.counts;
      side.append(make("p", "sum", markup.error ? visible(markup.error) : `${compliant} of ${counted(input, "statement")} kept${unclear ? `, ${unclear} unclear` : ""}`));
      for (const note of markup.notes) side.append(make("p", "sum", visible(note)));
      const rows = markup.rows.filter((row) => rowFits(markup.name, row, want));
      const list = make("ul", "rows");
      for (const row of rows) list.append(rowElement(row));
      if (rows.length) side.append(list);
      else if (!markup.error) side.append(make("p", "empty", markup.rows.length ? "No statement fits the filters." : "No statement."));
      if (markup.source.length > 4) {
        const details = make("details", "no-print");
        details.append(make("summary", "", "JSON as written"));
        details.addEventListener("toggle", () => {
          if (details.open && details.children.length === 1) {
            const pre = make("pre", "source", visible(markup.source));
            pre.tabIndex = 0;
            details.append(pre);
          }
        });
        side.append(details);
      }
      markups.append(side);
    }
    box.append(markups);
    return box;
  };

  const draw = () => {
    const view = $("view");
    const entry = state.index.pages[state.page];
    state.pinned = null;
    view.replaceChildren();
    if (!entry) { view.append(make("p", "empty", "No page fits the filters.")); return; }
    const header = make("header");
    header.append(make("h3", "", visible(entry.title || entry.name)));
    const where = make("p", "where");
    if (entry.url) {
      const link = make("a", "", visible(entry.url));
      link.href = entry.url;
      link.rel = "noopener noreferrer";
      link.target = "_blank";
      where.append(link);
    } else where.append(visible(entry.name));
    where.append(` · ${entry.language || "language unknown"} · ${counted(entry.tokens, "token")}`);
    header.append(where);
    view.append(header);
    if (entry.error) { view.append(make("p", "", `This page failed: ${visible(entry.error)}`)); return; }
    const want = wanted();
    const sides = make("div", "sides");
    const units = make("div");
    for (const unit of state.data.units) units.append(unitElement(unit, want));
    if (!state.data.units.length) units.append(make("p", "empty", "No typed markup on this page: nothing to compare."));
    const text = make("aside", "text");
    text.setAttribute("aria-label", "Text of the page");
    const head = make("h4", "", "Text of the page");
    const note = make("span");
    note.id = "page-text-note";
    note.setAttribute("role", "status");
    head.append(note);
    const pre = make("pre");
    pre.id = "page-text";
    pre.tabIndex = 0;
    pre.setAttribute("role", "region");
    pre.setAttribute("aria-label", "Text of the page, evidence highlighted");
    text.append(head, pre);
    sides.append(units, text);
    view.append(sides);
    showEvidence(null);
  };

  const open = async (number, { jump = false } = {}) => {
    const ticket = ++state.ticket;
    state.page = number;
    for (const button of $("list").querySelectorAll("button")) button.setAttribute("aria-current", String(Number(button.dataset.page) === number));
    if (state.index.pages[number]) {
      const data = await unpack(`page-${number}`);
      if (ticket !== state.ticket) return;
      state.data = data;
      // Offsets count code points, strings of a browser count UTF-16 units.
      state.points = Array.from(data.text);
    }
    draw();
    $("view").setAttribute("aria-busy", "false");
    if (jump) {
      const target = $("pages");
      target.scrollIntoView();
      const current = $("list").querySelector('[aria-current="true"]');
      if (current) $("list").scrollTop = current.offsetTop - $("list").offsetTop - 40;
    }
  };

  const pageFits = (entry, want) => {
    const words = $("f-words").value.trim().toLowerCase();
    if (words && !`${entry.title} ${entry.name}`.toLowerCase().includes(words)) return 0;
    if (!want.contender && !want.outcome && !want.rule && !want.property) return -1;
    let number = 0;
    for (const [contender, outcomeName, rule, property, count] of entry.facets) {
      if ((!want.contender || state.index.contenders[contender] === want.contender) &&
        outcomeFits(want.outcome, state.index.outcomes[outcomeName]) &&
        (!want.rule || state.index.rules[rule] === want.rule) &&
        (!want.property || state.index.properties[property] === want.property)) number += count;
    }
    return number;
  };
  const fill = () => {
    const want = wanted();
    const list = $("list");
    list.replaceChildren();
    let shown = 0;
    let statements = 0;
    let first = -1;
    let still = false;
    state.index.pages.forEach((entry, number) => {
      const fits = pageFits(entry, want);
      if (!fits) return;
      shown += 1;
      if (fits > 0) statements += fits;
      if (first < 0) first = number;
      still = still || number === state.page;
      const button = make("button");
      button.type = "button";
      button.dataset.page = number;
      button.append(make("b", "", visible(entry.title || entry.name)));
      button.append(make("small", "", entry.error ? "failed" : visible(fits > 0 ? counted(fits, "statement") : entry.line)));
      button.addEventListener("click", () => { history.replaceState(null, "", `#page-${number}`); open(number); });
      const item = make("li");
      item.append(button);
      list.append(item);
    });
    $("f-told").textContent = `${shown} of ${counted(state.index.pages.length, "page")}${statements ? `, ${counted(statements, "statement")}` : ""}`;
    open(still ? state.page : first);
  };

  const fromHash = () => {
    const found = /^#page-(\d+)$/.exec(location.hash);
    return found && Number(found[1]) < state.index.pages.length ? Number(found[1]) : -1;
  };
  const start = async () => {
    state.index = await unpack("index");
    const options = { contender: state.index.contenders, outcome: null, rule: state.index.rules, property: state.index.properties };
    for (const filter of filters) {
      const names = options[filter.id.slice(2)];
      if (names) for (const name of names) if (name) { const option = make("option", "", visible(name)); option.value = name; filter.append(option); }
      filter.addEventListener("change", fill);
    }
    $("f-words").addEventListener("input", fill);
    $("f-clear").addEventListener("click", () => { for (const filter of filters) filter.value = ""; $("f-words").value = ""; fill(); });
    const asked = fromHash();
    state.page = asked;
    fill();
    if (asked >= 0) open(asked, { jump: true });
    addEventListener("hashchange", () => { const number = fromHash(); if (number >= 0) open(number, { jump: true }); });
    $("browser").hidden = false;
    document.documentElement.dataset.ready = "true";
  };
  start().catch((problem) => { $("failed").hidden = false; $("failed").textContent = `The pages cannot be shown in this browser: ${problem}`; });
})();
