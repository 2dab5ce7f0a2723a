// What is measured of the page as it is seen; ../web/looks.py calls these.
({
  // What is wider than its room, or stands out of what it is in.
  overflows() {
    const hidden = "svg, details:not([open]) > :not(summary), option, nav span, #toast, #table";
    const found = [];
    const note = (what, e) => found.push(`${what} ${e.tagName}#${e.id}.${e.className}: ${e.textContent.slice(0, 50)}`);
    const open = document.querySelector("dialog[open]");
    const pen = document.createElement("canvas").getContext("2d");
    const textWidth = (text, font) => { pen.font = font; return pen.measureText(text).width; };
    for (const e of (open ?? document.body).querySelectorAll("*")) {
      const style = getComputedStyle(e);
      const [mine, outer] = [e.getBoundingClientRect(), e.parentElement.getBoundingClientRect()];
      if (e.closest(hidden) || !e.checkVisibility() || !mine.width || !mine.height) continue;
      const cut = style.overflowX !== "visible" || style.display === "inline";
      if (!cut && e.scrollWidth > e.clientWidth + 1) note("wide", e);
      if (mine.right > outer.right + 1.5 || mine.left < outer.left - 1.5) note("out", e);
      if (e.matches("button, .button, select") && e.scrollHeight > e.clientHeight + 1) note("high", e);
      for (const option of e.matches("select") ? e.options : []) {
        if (textWidth(option.textContent, style.font) > e.clientWidth - 42) note("cut", option);
      }
      if (mine.right > innerWidth + 1 || mine.left < -1) note("off", e);
    }
    const width = document.documentElement.scrollWidth;
    if (width > innerWidth) found.push(`the page is ${width} wide`);
    return found;
  },

  // What a finger could miss: neither it nor its label is large enough.
  smallTargets(least) {
    const found = [];
    const open = document.querySelector("dialog[open]");
    for (const e of (open ?? document.body).querySelectorAll("button, a, select, summary, input")) {
      if (!e.checkVisibility()) continue;
      const areas = [e, ...(e.labels ?? [])].map((each) => each.getBoundingClientRect());
      const width = Math.max(...areas.map((area) => area.width));
      const height = Math.max(...areas.map((area) => area.height));
      if (Math.min(width, height) < least - 0.5) found.push(`${e.tagName}#${e.id} ${e.textContent} ${width} x ${height}`);
    }
    return found;
  },

  // The room that words need at most, and the room that they have, in px.
  async room([words, why]) {
    const { t } = await import("/texts.js");
    const gaps = { kind: "S", side: 1, at: "h7", to: "g6", n: 5, m: 3, spaces: "h7, g6" };
    const highest = (id, keys) => Math.max(...keys.map((key) => {
      document.getElementById(id).textContent = t(key, gaps);
      return document.getElementById(id).getBoundingClientRect().height;
    }));
    return [highest("words", words) + highest("why", why) + 6, document.getElementById("say").clientHeight];
  },

  // All colours of the theme and the board that are shown, by the names of their variables.
  variables() {
    const probe = document.createElement("i");
    document.body.append(probe);
    const style = getComputedStyle(document.documentElement);
    const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
    const names = new Set(rules.flatMap((rule) => [...(rule.style ?? [])]).filter((name) => name.startsWith("--")));
    const seen = {};
    for (const name of names) {
      const value = style.getPropertyValue(name).trim();
      if (!value.startsWith("#")) continue;
      probe.style.color = value;
      seen[name.slice(2)] = getComputedStyle(probe).color.match(/[\d.]+/g).slice(0, 3).map(Number);
    }
    probe.remove();
    return seen;
  },

  // When a lamp that is to blink every 0.4 s for 10 s changes, in ms, and to what.
  async blinking() {
    const { calmed } = await import("/calm.js");
    const lamp = { colour: "000000" };
    const shown = [];
    let now = 100000;
    performance.now = () => now;
    for (let tick = 0; tick < 250; tick++, now += 40) {
      const colour = calmed(lamp, tick % 10 < 5 ? "ff0000" : "000000", () => {});
      if (colour !== lamp.colour) shown.push([now, colour]);
      lamp.colour = colour;
    }
    return shown;
  },
})
