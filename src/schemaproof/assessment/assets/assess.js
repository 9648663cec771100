"use strict";
// What a page or a markup says reaches the document as text: textContent and nothing else.
(() => {
  const $ = (id) => document.getElementById(id);
  const here = location.pathname.replace(/\/$/, "");
  const visible = (text) => String(text).replace(/[\u202a-\u202e\u2066-\u2069\u200e\u200f]/g, "\ufffd");
  const state = { task: null, shown: 0, busy: false };
  const KEYS = { 1: "left", ArrowLeft: "left", 2: "right", ArrowRight: "right", 0: "tie", 9: "both-bad", s: "skip" };

  const rows = (target, lines) => {
    target.replaceChildren();
    for (const [depth, property, text, entity, only] of lines) {
      const line = document.createElement("p");
      line.className = `d${Math.min(5, depth)}${only ? " only" : ""}${property ? "" : " root"}`;
      if (property) {
        const name = document.createElement("span");
        name.className = "p";
        name.textContent = visible(property);
        line.append(name);
      }
      const value = document.createElement("span");
      value.className = entity ? "e" : "v";
      value.textContent = visible(text);
      line.append(value);
      target.append(line);
    }
    if (!lines.length) {
      const line = document.createElement("p");
      line.textContent = "(nothing)";
      target.append(line);
    }
    target.scrollTop = 0;
  };
  const show = (task) => {
    state.task = task;
    $("progress").max = Math.max(1, task.total);
    $("progress").value = task.position;
    $("work").hidden = $("bar").hidden = task.done;
    $("finished").hidden = !task.done;
    $("undo").disabled = task.position === 0;
    $("comment").value = "";
    if (task.done) { $("told").textContent = `${task.total} of ${task.total} done`; document.documentElement.dataset.position = task.position; return; }
    $("told").textContent = task.training ? "An example to try the keys; it is not counted" : `${task.position + 1} of ${task.total}`;
    $("title").textContent = visible(task.title || "Page");
    $("text").textContent = visible(task.text);
    $("text").scrollTop = 0;
    rows($("left"), task.left);
    rows($("right"), task.right);
    state.shown = performance.now();
    document.documentElement.dataset.position = task.position;
  };
  const wait = (time) => new Promise((done) => setTimeout(done, time));
  // The same attempt is sent until the server has it: a lost answer doubles no vote, a lost question loses none.
  const ask = async (path, options) => {
    for (let pause = 300; ; pause = Math.min(5000, pause * 1.6)) {
      try {
        const answer = await fetch(`${here}/${path}`, options);
        if (answer.ok || answer.status === 409) return await answer.json();
        if (answer.status < 500) throw new Error((await answer.json()).error || answer.status);
      } catch (problem) {
        if (!(problem instanceof TypeError) && !(problem instanceof SyntaxError)) { $("told").textContent = String(problem); $("told").className = "trouble"; return null; }
      }
      $("told").textContent = "No connection: your vote is kept here and sent again";
      $("told").className = "trouble";
      await wait(pause);
    }
  };
  const send = async (choice, position) => {
    if (state.busy) return;
    state.busy = true;
    const attempt = Array.from(crypto.getRandomValues(new Uint8Array(12)), (byte) => byte.toString(16).padStart(2, "0")).join("");
    const seconds = Math.round(performance.now() - state.shown) / 1000;
    const body = JSON.stringify({ position, choice, attempt, seconds, comment: $("comment").value });
    const task = await ask("vote", { method: "POST", headers: { "Content-Type": "application/json" }, body });
    state.busy = false;
    if (task) { $("told").className = ""; show(task); }
  };
  const vote = (choice) => { if (state.task && !state.task.done) send(choice, state.task.position); };
  const undo = () => { if (state.task && state.task.position > 0) send("undo", state.task.position - 1); };
  const marks = (on) => { $("differences").setAttribute("aria-pressed", String(on)); $("work").classList.toggle("marks", on); };
  const toggle = () => marks($("differences").getAttribute("aria-pressed") !== "true");
  const help = () => { if ($("help").open) $("help").close(); else $("help").showModal(); };

  for (const button of document.querySelectorAll("[data-choice]")) button.addEventListener("click", () => vote(button.dataset.choice));
  $("undo").addEventListener("click", undo);
  $("back").addEventListener("click", undo);
  $("differences").addEventListener("click", toggle);
  $("help-open").addEventListener("click", help);
  $("help-close").addEventListener("click", help);
  addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.repeat) return;
    if (event.target === $("comment")) { if (event.key === "Escape") $("comment").blur(); return; }
    if (event.key === "?") { event.preventDefault(); help(); return; }
    if ($("help").open) return;
    if (event.key === "u") undo();
    else if (event.key === "d") toggle();
    else if (event.key in KEYS) { event.preventDefault(); vote(KEYS[event.key]); }
  });
  marks(true);
  ask("task").then((task) => { if (task) { $("told").className = ""; show(task); } });
})();
