(() => {
  "use strict";
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  let fields = [];
  let places = [];
  let held = null;
  let turn = 0;

  function refresh() {
    fields = all("details.field");
    places = all("[data-e]").map((element) => [element, element.getAttribute("data-e").split(" ")]);
  }

  function light(number) {
    for (const [element, keys] of places) {
      for (const role of "src") element.classList.toggle("lit-" + role, number !== null && keys.includes(number + role));
    }
  }

  function shown(number) {
    const mine = places.filter(([, keys]) => ["s", "r", "c"].some((role) => keys.includes(number + role)));
    const first = (pair) => (pair[1].includes(number + "s") ? 0 : 1);
    const inPlain = (pair) => (pair[0].closest("details") ? 1 : 0);
    return mine.sort((a, b) => inPlain(a) - inPlain(b) || first(a) - first(b)).map((pair) => pair[0]);
  }

  function reveal(number, index) {
    const found = shown(number);
    if (!found.length) return;
    const target = found[index % found.length];
    const folded = target.closest(".document details");
    if (folded) folded.open = true;
    target.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  function choose(owner) {
    for (const old of all(".chosen")) old.classList.remove("chosen");
    if (owner) owner.classList.add("chosen");
    held = owner ? owner.dataset.field : null;
    turn = 0;
    light(held);
    if (held !== null) reveal(held, 0);
  }

  document.addEventListener("mouseover", (event) => {
    const owner = event.target.closest("[data-field]");
    light(owner ? owner.dataset.field : held);
  });
  document.addEventListener("mouseleave", () => light(held));
  document.addEventListener("focusin", (event) => {
    const field = event.target.matches("summary") && event.target.closest("details.field");
    if (field && held !== field.dataset.field) light(field.dataset.field);
  });
  document.addEventListener("click", (event) => {
    const place = event.target.closest("[data-e]");
    const owner = event.target.closest("td[data-field], details.field > summary");
    if (owner) choose(owner.matches("td") ? owner : owner.parentElement);
    else if (place) {
      const keys = place.getAttribute("data-e").split(" ");
      const has = (roles) => (field) => roles.some((role) => keys.includes(field.dataset.field + role));
      open(fields.find(has(["s", "r"])) || fields.find(has(["c"])));
    }
  });

  function open(owner) {
    if (!owner) return;
    owner.open = true;
    choose(owner);
    owner.scrollIntoView({ block: "nearest" });
    owner.querySelector("summary").focus({ preventScroll: true });
  }

  function move(step) {
    const now = fields.indexOf(document.activeElement.closest("details.field"));
    const next = fields[Math.min(Math.max(now < 0 ? 0 : now + step, 0), fields.length - 1)];
    if (!next) return;
    next.querySelector("summary").focus();
    choose(next);
  }

  document.addEventListener("keydown", (event) => {
    const typing = document.activeElement.matches("input, select, textarea");
    if (event.defaultPrevented || typing || event.ctrlKey || event.metaKey || event.altKey || !fields.length) return;
    const inDocument = document.activeElement.closest(".document");
    if ((event.key === "ArrowDown" && !inDocument) || event.key === "j") { event.preventDefault(); move(1); }
    else if ((event.key === "ArrowUp" && !inDocument) || event.key === "k") { event.preventDefault(); move(-1); }
    else if (event.key === "n" && held !== null) reveal(held, ++turn);
    else if (event.key === "Escape") choose(null);
    else if (event.key === "Enter" && document.activeElement.matches("td[data-field]")) choose(document.activeElement);
  });

  const theme = document.getElementById("theme");
  const root = document.documentElement;
  const isDark = () => (root.dataset.theme || (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) === "dark";
  function showTheme() {
    theme.textContent = isDark() ? "Light" : "Dark";
    theme.setAttribute("aria-pressed", String(isDark()));
  }
  if (theme) {
    showTheme();
    theme.addEventListener("click", () => { root.dataset.theme = isDark() ? "light" : "dark"; showTheme(); });
  }

  let folded = [];
  addEventListener("beforeprint", () => { folded = fields.filter((field) => !field.open); folded.forEach((field) => { field.open = true; }); });
  addEventListener("afterprint", () => folded.forEach((field) => { field.open = false; }));

  refresh();
  const first = fields.find((field) => Number(field.dataset.concern) < 5);
  if (first) first.open = true;
  globalThis.report = { refresh, choose, reveal, open };
})();
