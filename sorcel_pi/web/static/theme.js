// The theme and the board, set before anything is drawn; it is a script of its own, and no module,
// so that nothing is first seen in other colours.

(() => {
  const asked = (key) => { try { return localStorage.getItem(`sorcel.${key}`); } catch { return null; } };
  const prefers = (what) => matchMedia(`(prefers-${what})`);
  const queries = [prefers("contrast: more"), prefers("color-scheme: dark")];

  function show() {
    const [contrast, dark] = queries.map((query) => query.matches);
    const own = contrast ? "contrast" : dark ? "dark" : "light";
    const theme = asked("theme");
    const data = document.documentElement.dataset;
    data.theme = ["light", "dark", "contrast"].includes(theme) ? theme : own;
    data.board = asked("board") === "slate" ? "slate" : "wood";
  }

  for (const query of queries) query.addEventListener("change", show);
  addEventListener("sorcel-looks", show);
  show();
})();
