(() => {
  "use strict";
  const all = (selector) => Array.from(document.querySelectorAll(selector));
  const fields = all("details.field");
  const places = all("[data-e]").map((element) => [element, element.getAttribute("data-e").split(" ")]);
  let held = null;
  let turn = 0;

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

  for (const owner of all("[data-field]")) {
    owner.addEventListener("mouseenter", () => light(owner.dataset.field));
    owner.addEventListener("mouseleave", () => {
      const outer = owner.parentElement.closest("[data-field]:hover");
      light(outer ? outer.dataset.field : held);
    });
  }
  for (const field of fields) {
    field.querySelector("summary").addEventListener("click", () => choose(field));
    field.querySelector("summary").addEventListener("focus", () => { if (held !== field.dataset.field) light(field.dataset.field); });
  }
  for (const cell of all("td[data-field]")) cell.addEventListener("click", () => choose(cell));

  for (const [element, keys] of places) {
    element.addEventListener("click", () => {
      const has = (roles) => (field) => roles.some((role) => keys.includes(field.dataset.field + role));
      const owner = fields.find(has(["s", "r"])) || fields.find(has(["c"]));
      if (!owner) return;
      owner.open = true;
      choose(owner);
      owner.scrollIntoView({ block: "nearest" });
      owner.querySelector("summary").focus({ preventScroll: true });
    });
  }

  function move(step) {
    const now = fields.indexOf(document.activeElement.closest("details.field"));
    const next = fields[Math.min(Math.max(now < 0 ? 0 : now + step, 0), fields.length - 1)];
    if (!next) return;
    next.querySelector("summary").focus();
    choose(next);
  }

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || !fields.length) return;
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

  const first = fields.find((field) => Number(field.dataset.concern) < 5);
  if (first) first.open = true;
})();
