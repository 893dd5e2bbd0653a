(() => {
  "use strict";
  const $ = (selector, within = document) => within.querySelector(selector);
  const all = (selector, within = document) => Array.from(within.querySelectorAll(selector));
  const make = (tag, facts = {}, ...children) => {
    const element = Object.assign(document.createElement(tag), facts);
    element.append(...children);
    return element;
  };
  const by = $("#by");
  if (by) {
    by.value = localStorage.getItem("paxman-name") || by.value;
    by.addEventListener("change", () => localStorage.setItem("paxman-name", by.value));
  }
  const tell = (text, wrong = false) => { const told = $("#told"); told.textContent = text; told.classList.toggle("wrong", wrong); };

  async function ask(address, body) {
    const sent = body === undefined ? {} : { method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body) };
    try {
      const answer = await fetch(address, sent);
      const said = await answer.json().catch(() => ({ problem: answer.statusText }));
      return answer.ok ? said : { problem: said.problem, outdated: answer.status === 409 };
    } catch {
      return { problem: "the review has ended; everything decided so far is kept" };
    }
  }

  function showKeys(pairs, more = "") {
    const shown = pairs.map(([key, word]) => make("span", {}, make("kbd", { textContent: key }), ` ${word}`));
    document.body.append(make("footer", { className: "keys-bar" }, ...shown));
    if (!more) return;
    const lines = more.split("|").map((line) => line.split(": "));
    const list = make("dl", {}, ...lines.map(([key, word]) => make("div", {}, make("dt", {}, make("kbd", { textContent: key })), make("dd", { textContent: word }))));
    const close = make("button", { type: "button", textContent: "Close" });
    const help = make("dialog", { id: "help", ariaLabel: "Keys" }, list, close);
    close.addEventListener("click", () => help.close());
    document.body.append(help);
  }

  // The queue.

  function showFilters({ filters, query }) {
    const option = (value, text, chosen) => make("option", { value, textContent: text, selected: value === chosen });
    const choices = Object.entries(filters).map(([name, offered]) => {
      const options = Object.entries(offered).map(([value, text]) => option(value, text, query[name]));
      return make("label", { textContent: `${name} ` }, make("select", { name }, option("", "all", query[name] || ""), ...options));
    });
    const source = make("input", { name: "source", value: query.source || "", placeholder: "part of a name" });
    $("nav").replaceChildren(...choices, make("label", { textContent: "source " }, source));
  }

  function showLessonsSoFar({ decisions, file, able, applied }) {
    const learn = make("button", { type: "button", id: "learn", textContent: "Learn from here", disabled: !able });
    const back = make("button", { type: "button", id: "take-back", textContent: "Take the lessons back" });
    const preview = make("div", { id: "preview" });
    preview.setAttribute("aria-live", "polite");
    const said = make("p", { textContent: `${decisions} decisions are kept in ` }, make("code", { textContent: file }), ".");
    const used = applied.length ? [make("p", { textContent: `Applied to the queue: lessons of ${applied.join(", ")}.` })] : [];
    $('[aria-label="Lessons"]').replaceChildren(make("h2", { textContent: "Lessons" }), said, ...used, make("p", {}, learn, " ", ...(applied.length ? [back] : [])), preview);
  }

  function startQueue(facts) {
    showFilters(facts);
    showLessonsSoFar(facts.lessons);
    showKeys([["↑ ↓", "documents"], ["Enter", "open"], ["g", "the first"], ["l", "learn"]]);
    let asked = new URLSearchParams(location.search);
    const links = () => all(".documents tbody a");
    $(".queue").addEventListener("change", (event) => {
      if (!event.target.name) return;
      asked.set(event.target.name, event.target.value);
      asked.delete("start");
      if (!event.target.value) asked.delete(event.target.name);
      location.search = asked;
    });
    document.addEventListener("keydown", (event) => {
      if (event.target.matches("input, select") || event.ctrlKey || event.metaKey || event.altKey) return;
      const now = links().indexOf(document.activeElement);
      const step = { ArrowDown: 1, j: 1, ArrowUp: -1, k: -1 }[event.key];
      if (step) { event.preventDefault(); links()[Math.max(0, Math.min(now + step, links().length - 1))]?.focus(); }
      else if (event.key === "g") links()[0]?.click();
      else if (event.key === "l") $("#learn").click();
    });
    async function watch(seen) {
      const counts = await ask("/counts");
      const now = JSON.stringify(counts);
      if (counts.problem) return;
      if (seen && now !== seen && !document.activeElement.closest(".documents, nav")) {
        const fresh = new DOMParser().parseFromString(await (await fetch(location.href)).text(), "text/html");
        for (const part of [".documents", "header .title"]) $(part).replaceWith($(part, fresh));
        showFilters(JSON.parse($("[data-queue]", fresh).dataset.queue));
      }
      if (!counts.complete || counts.state.waiting) setTimeout(watch, 1500, now);
    }
    watch(facts.complete ? "" : "{}");
    startLessons();
  }

  function startLessons() {
    const preview = $("#preview");
    const again = (body) => ask("/lessons", body).then(showLessons);
    $("#learn").addEventListener("click", () => again({ do: "learn" }));
    $("#take-back")?.addEventListener("click", () => ask("/lessons", { do: "take-back" }).then(() => location.reload()));
    function showLessons(state) {
      if (state.running) {
        preview.textContent = state.total ? `trying them on document ${state.done} of ${state.total}` : "learning from the decisions";
        return void setTimeout(() => again(), 300);
      }
      if (state.problem || !state.lessons) return void (preview.textContent = state.problem || "");
      const cells = (row, names, tag) => make("tr", {}, ...names.map((name) => make(tag, { textContent: tag === "th" ? name : row[name] })));
      const names = ["document", "field", "old", "new", "why"];
      const total = Object.values(state.counts).reduce((sum, count) => sum + count, 0);
      const counted = Object.entries(state.counts).map(([field, count]) => `${field} ${count}`).join(", ");
      const apply = make("button", { type: "button", id: "apply", textContent: "Apply to the queue" });
      apply.addEventListener("click", () => ask("/lessons", { do: "apply" }).then(() => location.reload()));
      preview.replaceChildren(
        make("h3", { textContent: "What was learned" }), make("ul", {}, ...state.lessons.map((text) => make("li", { textContent: text }))),
        ...(state.missed.length ? [make("h3", { textContent: "Not found on their pages, and not learned from" }), make("ul", {}, ...state.missed.map((text) => make("li", { textContent: text })))] : []),
        make("h3", { textContent: `${total} values would change on ${state.total} documents nobody has decided on${counted ? ": " + counted : ""}` }),
        make("div", { className: "scroll" }, make("table", {}, make("thead", {}, cells({}, names, "th")), make("tbody", {}, ...state.changes.map((row) => cells(row, names, "td"))))),
        apply,
      );
    }
    ask("/lessons").then((state) => { if (state.running || state.lessons) showLessons(state); });
  }

  // A document.

  function startDocument(facts) {
    const pane = $(".document");
    const side = $(".result");
    const home = `/document/${facts.number}`;
    const skipped = new Set();
    let shown = pane.innerHTML;
    let busy = false;
    let pointing = null;
    let drafts = {};

    const post = (verb, body = {}) => ask(`${home}/${verb}`, { version: facts.version, by: by.value, ...body });
    const fields = () => all("details.field");
    const chosen = () => $("details.field.chosen") || document.activeElement.closest("details.field");
    const find = (path) => fields().find((field) => field.dataset.path === path);
    const box = (field) => $(".review", field);
    const isArray = (field) => field && box(field).dataset.type === "ARRAY";
    const stillOpen = () => fields().filter((field) => box(field).dataset.state === "open");

    function focus(field) {
      if (!field) return;
      report.open(field);
      field.scrollIntoView({ block: "nearest" });
    }

    function step(by) {
      const now = fields().indexOf(chosen());
      const to = fields()[Math.min(Math.max(now + by, 0), fields().length - 1)];
      if (now >= 0 && to !== fields()[now]) fields()[now].open = false;
      focus(to);
    }

    function next() {
      const left = stillOpen();
      const field = left.find((each) => !skipped.has(each.dataset.path)) || left[0];
      if (field) focus(field);
      else tell("Everything here is decided. Enter or g: next document");
    }

    function show(parts) {
      facts.version = $("main").dataset.version = parts.version;
      $("#status").textContent = parts.status;
      if (parts.document !== shown) {
        const [top, left] = [pane.scrollTop, pane.scrollLeft];
        pane.innerHTML = shown = parts.document;
        [pane.scrollTop, pane.scrollLeft] = [top, left];
      }
      side.innerHTML = parts.fields;
      drafts = {};
      endPointing();
      report.refresh();
      for (const field of fields()) mark(field);
    }

    const ACTS = { accept: "Accept", type: "Type", point: "Point at it", absent: "Not in this document" };
    const ROW_ACTS = { add: "Add row", delete: "Delete row", split: "Split", merge: "Merge", up: "Up", down: "Down", bind: "Bind column" };
    const LAST_ACTS = { skip: "Skip", undo: "Undo" };

    function mark(field) {
      const acts = Object.entries({ ...ACTS, ...(isArray(field) ? ROW_ACTS : {}), ...LAST_ACTS });
      const buttons = acts.map(([act, word]) => {
        const button = make("button", { type: "button", textContent: word });
        button.dataset.act = act;
        return button;
      });
      box(field).append(make("div", { className: "acts" }, ...buttons));
      if (box(field).dataset.state !== "decided") return;
      field.classList.add("decided");
      $(".name", field).append(make("span", { className: "human", textContent: " ✓ reviewed" }));
    }

    async function act(verb, body, stay) {
      if (busy) return false;
      busy = true;
      const made = await post(verb, body);
      busy = false;
      if (made.problem) {
        if (made.outdated) { show(await post("open")); focus(find(body?.path)); }
        tell(made.problem, true);
        return false;
      }
      show(made);
      tell("");
      if (stay) focus(find(stay));
      else next();
      if (made.done) tell("This document is done. g: next document");
      return true;
    }

    // Typing, and what was pointed at, in one line below the field.

    function edit(field, text, spans, target) {
      $(".typing")?.remove();
      focus(field);
      const input = make("input", { value: text, spellcheck: false, autocomplete: "off" });
      const path = target?.path || field.dataset.path;
      input.setAttribute("aria-label", `Value of ${path}`);
      const said = make("output", {});
      const form = make("div", { className: "typing" }, input, said);
      box(field).append(form);
      let asked = 0;
      let started = text;
      async function check() {
        const turn = ++asked;
        const answer = await post("check", { path, text: input.value });
        if (turn !== asked) return;
        said.textContent = answer.problem || `= ${answer.value}`;
        said.classList.toggle("wrong", Boolean(answer.problem));
      }
      input.addEventListener("input", () => { if (input.value !== started) spans = null; setTimeout(check, 60); });
      input.addEventListener("keydown", async (event) => {
        event.stopPropagation();
        if (event.key === "Escape") { form.remove(); endPointing(); focus(field); target?.back?.(); }
        if (event.key !== "Enter") return;
        event.preventDefault();
        if (target) { form.remove(); endPointing(); target.take(input.value, spans); }
        else if (await act("value", { path, text: input.value, spans })) return;
        else check();
      });
      if (text) check();
      input.focus();
      input.select();
    }

    // Pointing: words of pages and texts, and cells, in reading order.

    function words() {
      const found = all("rect.word, td[data-span], th[data-span]", pane).map((element) => ({ element, span: element.dataset.span.split("-").map(Number) }));
      for (const piece of all("[data-at]", pane)) {
        if (piece.closest("details:not([open])") || !piece.firstChild) continue;
        const text = piece.firstChild.data;
        let seen = 0;
        let points = Number(piece.dataset.at);
        for (const match of text.matchAll(/\S+/g)) {
          points += [...text.slice(seen, match.index)].length;
          seen = match.index + match[0].length;
          const range = document.createRange();
          range.setStart(piece.firstChild, match.index);
          range.setEnd(piece.firstChild, seen);
          const start = points;
          points += [...match[0]].length;
          found.push({ range, span: [start, points] });
        }
      }
      return found;
    }
    const place = (word) => (word.element || word.range).getBoundingClientRect();
    const textOf = (word) => (word.range ? word.range.toString() : word.element.textContent) || "";

    function paint(chosenWords) {
      for (const old of all(".pointed")) old.classList.remove("pointed");
      for (const word of chosenWords) word.element?.classList.add("pointed");
      if (!globalThis.CSS?.highlights) return;
      const ranges = chosenWords.filter((word) => word.range).map((word) => word.range);
      if (ranges.length) CSS.highlights.set("pointed", new Highlight(...ranges));
      else CSS.highlights.delete("pointed");
    }

    function spansOf(list, picked) {
      const spans = [];
      let last = -2;
      let line = null;
      for (const index of picked) {
        const at = place(list[index]);
        const sameLine = line && Math.abs(at.top - line.top) < at.height / 2;
        if (index === last + 1 && sameLine) spans[spans.length - 1][1] = list[index].span[1];
        else spans.push([...list[index].span]);
        [last, line] = [index, at];
      }
      return spans;
    }

    async function propose(field, list, picked, target) {
      if (!field || !picked.length) return;
      paint(picked.map((index) => list[index]));
      const spans = spansOf(list, picked);
      if (target?.bind) return void (await bind(field, target.bind, spans));
      const read = await post("read", { path: target?.path || field.dataset.path, spans });
      edit(field, read.text ?? read.value ?? "", spans, target);
      if (read.problem) tell(read.problem, true);
    }

    async function bind(field, column, spans) {
      endPointing();
      if (await act("bind", { path: field.dataset.path, column, spans }, field.dataset.path)) tell(`${column} is read below that head now`);
    }

    function beginPointing(field, target) {
      if (!field) return;
      const list = words();
      if (!list.length) return void tell("the document is not here, so there is nothing to point at", true);
      const lit = $(".lit-s, .lit-r, .lit-c", pane);
      const near = lit ? list.findIndex((word) => { const at = place(word); const b = lit.getBoundingClientRect(); return at.bottom > b.top && at.right > b.left; }) : 0;
      pointing = { field, target, list, from: Math.max(near, 0), to: Math.max(near, 0), typed: "" };
      document.body.classList.add("is-pointing");
      pane.focus({ preventScroll: true });
      tell("Pointing: arrows move, Shift extends, letters jump to a word, Enter takes, Escape ends");
      showPointer();
    }

    function endPointing() {
      pointing = null;
      document.body.classList.remove("is-pointing");
      paint([]);
    }

    const pickedNow = () => {
      const [first, last] = [Math.min(pointing.from, pointing.to), Math.max(pointing.from, pointing.to)];
      return Array.from({ length: last - first + 1 }, (_, step) => first + step);
    };

    function showPointer() {
      paint(pickedNow().map((index) => pointing.list[index]));
      const word = pointing.list[pointing.to];
      (word.element || word.range.startContainer.parentElement).scrollIntoView({ block: "nearest", inline: "nearest" });
    }

    function vertical(list, index, down) {
      const now = place(list[index]);
      let best = index;
      let least = Infinity;
      list.forEach((word, other) => {
        const at = place(word);
        const gap = down ? at.top - now.bottom : now.top - at.bottom;
        if (gap < -now.height / 2 || !(down ? at.top > now.top + 1 : at.top < now.top - 1)) return;
        const far = Math.max(gap, 0) * 4 + Math.abs(at.left - now.left);
        if (far < least) [least, best] = [far, other];
      });
      return best;
    }

    function pointKey(event) {
      const { list, to } = pointing;
      const last = list.length - 1;
      const moves = { ArrowRight: () => Math.min(to + 1, last), ArrowLeft: () => Math.max(to - 1, 0), ArrowDown: () => vertical(list, to, true), ArrowUp: () => vertical(list, to, false), Home: () => 0, End: () => last };
      if (moves[event.key]) {
        pointing.to = moves[event.key]();
        if (!event.shiftKey) pointing.from = pointing.to;
        pointing.typed = "";
      } else if (event.key === "Enter") {
        const { field, target } = pointing;
        propose(field, list, pickedNow(), target);
        pointing = null;
      } else if (event.key === "Escape") {
        const { field, target } = pointing;
        endPointing();
        tell("");
        focus(field);
        target?.back?.();
      } else if (event.key.length === 1) {
        const wanted = (pointing.typed += event.key).toLowerCase();
        const order = [...list.keys()].map((step) => (step + to + (wanted.length === 1 ? 1 : 0)) % list.length);
        const hit = order.find((index) => [wordText(list[index]), wordText(list[index]).replace(/^[^\p{L}\p{N}]+/u, "")].some((word) => word.toLowerCase().startsWith(wanted)));
        if (hit === undefined) pointing.typed = pointing.typed.slice(0, -1);
        else pointing.from = pointing.to = hit;
      } else return;
      event.preventDefault();
      if (pointing) showPointer();
    }
    const wordText = (word) => word.element?.dataset.word ?? textOf(word).trim();

    // The mouse: a click takes the word below it, dragging takes all words that it covers.

    let drag = null;
    pane.addEventListener("mousedown", (event) => {
      if (event.button) return;
      drag = { x: event.clientX, y: event.clientY, list: null, page: event.target.closest("svg") };
      if (drag.page) event.preventDefault();
    });
    const within = (rect, a, b) => rect.right > Math.min(a.x, b.x) && rect.left < Math.max(a.x, b.x) && rect.bottom > Math.min(a.y, b.y) && rect.top < Math.max(a.y, b.y);
    function covered(end) {
      drag.list ||= words();
      const inText = getSelection();
      if (!drag.page && inText.rangeCount && !inText.isCollapsed) {
        const range = inText.getRangeAt(0);
        return [...drag.list.keys()].filter((index) => range.intersectsNode((drag.list[index].element || drag.list[index].range.startContainer)) && (drag.list[index].element || overlaps(range, drag.list[index].range)));
      }
      return [...drag.list.keys()].filter((index) => within(place(drag.list[index]), drag, end) && (!drag.page || drag.list[index].element));
    }
    const overlaps = (one, other) => one.compareBoundaryPoints(Range.END_TO_START, other) < 0 && one.compareBoundaryPoints(Range.START_TO_END, other) > 0;
    document.addEventListener("mousemove", (event) => {
      if (drag?.page && event.buttons) paint(covered({ x: event.clientX, y: event.clientY }).map((index) => drag.list[index]));
    });
    document.addEventListener("mouseup", (event) => {
      if (!drag) return;
      const end = { x: event.clientX, y: event.clientY };
      const moved = Math.hypot(end.x - drag.x, end.y - drag.y) > 4;
      const target = pointing?.target || drafts.waiting;
      const field = pointing?.field || chosen();
      const onMark = event.target.closest("[data-e]");
      if (field && (moved || pointing || !onMark)) {
        if (!moved) { end.x += 0.5; end.y += 0.5; drag.x -= 0.5; drag.y -= 0.5; }
        const picked = covered(end);
        if (picked.length) { pointing = null; propose(field, drag.list, picked, target); event.stopPropagation(); }
      }
      drag = null;
    });

    // Rows: a draft of the table, sent as a whole; what the contract refuses stays a draft.

    function rowsOf(field) {
      const path = field.dataset.path;
      const columns = facts.columns[path] || [];
      if (drafts[path]) return drafts[path];
      const lines = all("table.rows tbody tr", field);
      const rows = lines.map((line, number) => ({ from: number, set: {}, pointed_at: {}, shown: all("td", line).map((cell) => cell.textContent) }));
      const heads = all("table.rows thead th", field).map((cell) => cell.textContent);
      return (drafts[path] = { path, columns: heads.length ? heads : columns.length ? columns : [""], rows, shown: rows.length });
    }
    const textAt = (draft, row, column) => draft.rows[row].set[draft.columns[column]] ?? draft.rows[row].shown?.[column] ?? "";

    function drawRows(field, row, column) {
      const draft = rowsOf(field);
      const cell = (number, place) => {
        const made = make("td", { textContent: textAt(draft, number, place), tabIndex: 0 });
        made.dataset.path = `${draft.path}[${number}]${draft.columns[place] ? "." : ""}${draft.columns[place]}`;
        return made;
      };
      const body = draft.rows.map((_, number) => make("tr", {}, ...draft.columns.map((__, place) => cell(number, place))));
      const head = make("tr", {}, ...draft.columns.map((name) => make("th", { scope: "col", textContent: name || "value" })));
      const table = make("table", { className: "rows" }, make("thead", {}, head), make("tbody", {}, ...body));
      const old = $("table.rows", field);
      if (old) old.replaceWith(table);
      else $(".story", field).append(make("div", { className: "scroll" }, table));
      $(`tbody tr:nth-child(${row + 1}) td:nth-child(${column + 1})`, table)?.focus();
    }

    async function saveRows(field, row, column) {
      const draft = rowsOf(field);
      const path = field.dataset.path;
      drawRows(field, row, column);
      const rows = draft.rows.map(({ from, set, pointed_at }) => ({ from, set, pointed_at }));
      const made = await post("rows", { path, rows, shown: draft.shown });
      if (made.problem) {
        drafts[path] = draft;
        drawRows(field, row, column);
        return void tell(`not kept yet: ${made.problem}`, true);
      }
      show(made);
      tell("");
      const again = find(path);
      focus(again);
      drawRows(again, row, column);
    }

    function where(cell) {
      const line = cell.closest("tr");
      return [all("tr", line.parentElement).indexOf(line), all("td", line).indexOf(cell)];
    }

    function editCell(field, row, column, text, spans) {
      const draft = rowsOf(field);
      const name = draft.columns[column];
      const path = `${draft.path}[${row}]${name ? "." : ""}${name}`;
      const target = {
        path,
        back: () => drawRows(field, row, column),
        take: (value, places) => {
          draft.rows[row].set[name] = value;
          if (places) draft.rows[row].pointed_at[name] = places;
          drafts.waiting = null;
          saveRows(field, row, column);
        },
      };
      if (text === null) { drafts.waiting = target; beginPointing(field, target); }
      else edit(field, text ?? textAt(draft, row, column), spans, target);
    }

    function changeRows(field, verb, cell) {
      const draft = rowsOf(field);
      const { rows, columns } = draft;
      const [row, column] = cell ? where(cell) : [rows.length - 1, 0];
      const whole = (number) => Object.fromEntries(columns.map((name, at) => [name, textAt(draft, number, at)]));
      if (verb === "add") {
        rows.splice(row + 1, 0, { from: null, set: {}, pointed_at: {}, shown: [] });
        drawRows(field, row + 1, 0);
        return void tell("a new row: fill its cells, it is kept as soon as the contract takes it");
      }
      if (!rows.length) return;
      if (verb === "delete") rows.splice(row, 1);
      else if (verb === "up" || verb === "down") {
        const to = row + (verb === "up" ? -1 : 1);
        if (!rows[to]) return;
        [rows[row], rows[to]] = [rows[to], rows[row]];
        return void saveRows(field, to, column);
      } else if (verb === "split") {
        const moved = Object.fromEntries(columns.slice(column).map((name, at) => [name, textAt(draft, row, column + at)]));
        for (const name of columns.slice(column)) rows[row].set[name] = "";
        rows.splice(row + 1, 0, { from: null, set: moved, pointed_at: {}, shown: [] });
      } else if (verb === "merge") {
        if (!rows[row + 1]) return;
        const [mine, other] = [whole(row), whole(row + 1)];
        for (const name of columns) if (other[name] && other[name] !== mine[name]) rows[row].set[name] = [mine[name], other[name]].filter(Boolean).join(" ");
        rows.splice(row + 1, 1);
      }
      saveRows(field, Math.min(row, rows.length - 1), column);
    }

    function bindColumn(field, cell) {
      const column = rowsOf(field).columns[cell ? where(cell)[1] : 0];
      const target = { bind: column };
      drafts.waiting = target;
      beginPointing(field, target);
      tell(`Point at the head of ${column}`);
    }

    // Keys and buttons do the same.

    async function take(verb, field, cell) {
      const path = field?.dataset.path;
      if (verb === "accept") {
        if (!field) return next();
        if (box(field).dataset.missing === "true") return tell("required and missing: t to type, p to point, x if it is not stated", true);
        return act("accept", { path });
      }
      if (verb === "type") return cell ? editCell(field, ...where(cell)) : isArray(field) ? changeRows(field, "add") : edit(field, box(field).dataset.value, null);
      if (verb === "point") return cell ? editCell(field, ...where(cell), null) : beginPointing(field, null);
      if (verb === "absent") return act("value", { path, text: null });
      if (verb === "skip") { if (field) skipped.add(path); return next(); }
      if (verb === "undo") return act("undo", {}, path);
      if (verb === "rest") return stillOpen().length ? act("accept", {}) : next();
      if (verb === "bind") return bindColumn(field, cell);
      if (["add", "delete", "split", "merge", "up", "down"].includes(verb)) return changeRows(field, verb, cell);
      if (verb === "next" || verb === "later") {
        if (verb === "later") await post("skip");
        const { next: number } = await ask(`${home}/next?${facts.query}&by=${encodeURIComponent(by.value)}`);
        location.href = number ? `/document/${number}?${facts.query}` : `/?${facts.query}`;
      }
      return undefined;
    }

    const rival = (button) => act("value", { path: button.closest("details.field").dataset.path, text: button.dataset.text, spans: JSON.parse(button.dataset.spans) });
    const lastCell = (field) => $("td.now", field) || $("table.rows td", field);
    side.addEventListener("click", (event) => {
      const button = event.target.closest("button");
      if (!button) return;
      const field = button.closest("details.field");
      if (button.matches(".rival")) rival(button);
      else if (button.dataset.act) take(button.dataset.act, field, isArray(field) ? lastCell(field) : null);
    });
    side.addEventListener("focusin", (event) => {
      const cell = event.target.closest("table.rows td");
      if (!cell) return;
      for (const old of all("td.now")) old.classList.remove("now");
      cell.classList.add("now");
    });

    const KEYS = { Enter: "accept", t: "type", p: "point", x: "absent", s: "skip", u: "undo", a: "rest", g: "next", G: "later" };
    const CELL_KEYS = { Enter: "type", t: "type", p: "point", b: "bind", "+": "add", Insert: "add", "-": "delete", Delete: "delete", "/": "split", m: "merge" };
    document.addEventListener("keydown", (event) => {
      if (pointing) { pointKey(event); event.stopPropagation(); return; }
      if (event.target.matches("input, select") || $("dialog[open]")) return;
      const cell = event.target.closest("table.rows td");
      const field = chosen();
      if (cell && event.altKey && ["ArrowUp", "ArrowDown"].includes(event.key)) take(event.key === "ArrowUp" ? "up" : "down", field, cell);
      else if ((event.ctrlKey || event.metaKey) && event.key === "z") take("undo", field);
      else if (event.ctrlKey || event.metaKey || event.altKey) return;
      else if (cell && moveCell(cell, event.key)) event.stopPropagation();
      else if (cell && CELL_KEYS[event.key]) take(CELL_KEYS[event.key], cell.closest("details.field"), cell);
      else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && document.activeElement === pane) return;
      else if (["ArrowDown", "j"].includes(event.key)) step(1);
      else if (["ArrowUp", "k"].includes(event.key)) step(-1);
      else if (event.key === "q") location.href = `/?${facts.query}`;
      else if (event.key === "?") $("#help").showModal();
      else if (/^[1-9]$/.test(event.key) && field) { const found = all(".rival", field)[event.key - 1]; if (found) rival(found); }
      else if (event.key === "Enter" && event.target.matches("a, button")) return;
      else if (event.key === "Enter" && !stillOpen().length) take("next");
      else if (KEYS[event.key]) take(KEYS[event.key], field);
      else if (event.key === "ArrowRight" && isArray(field)) $("table.rows td", field)?.focus();
      else return;
      event.preventDefault();
      event.stopPropagation();
    }, true);

    function moveCell(cell, key) {
      const [row, column] = where(cell);
      const [down, right] = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] }[key] || [];
      if (down === undefined && key !== "Escape") return false;
      if (key === "Escape") focus(cell.closest("details.field"));
      else $(`tr:nth-child(${row + down + 1}) td:nth-child(${column + right + 1})`, cell.closest("tbody"))?.focus();
      return true;
    }

    showKeys(
      [["Enter", "accept"], ["1-9", "take a rival"], ["t", "type"], ["p", "point"], ["x", "not stated"], ["s", "skip"], ["u", "undo"], ["a", "accept the rest"], ["g", "next"], ["?", "all keys"]],
      "↓ j: next field|↑ k: field before|Enter: accept, or with everything decided the next document|1 to 9: take a rival|t: type a value" +
      "|p: point; arrows move, Shift extends, letters jump to a word, Enter takes|x: not in this document|s: skip the field" +
      "|u: undo the last decision|a: accept the rest|n: next place of the field|g: next document|G: put this document last|q: queue" +
      "|→: into the rows of a list|Enter or t in a cell: change it|p in a cell: point at its value|b in a cell: point at the head of its column" +
      "|+ and -: add a row below, delete it|/: move this cell and those behind it into a row of their own|m: merge with the row below" +
      "|Alt ↑ Alt ↓: move the row|Escape: back to the field",
    );
    for (const field of fields()) mark(field);
    post("opened").then((said) => { if (said.other) tell(`${said.other} has this document open, too`); });
    next();
  }

  const review = $("[data-review]");
  const queue = $("[data-queue]");
  if (review) startDocument(JSON.parse(review.dataset.review));
  if (queue) startQueue(JSON.parse(queue.dataset.queue));
})();
