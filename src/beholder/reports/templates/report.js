// The table of all score rows: sorted, filtered and drawn a piece at a time, so that 100,000 rows stay usable.
(function () {
  "use strict";
  const STEP = 500; // rows drawn at once
  const LONG = 40; // letters; columns with longer words are wrapped

  // Words are stored once each as levels; a row has only their codes. Comparing codes by rank makes sorting cheap.
  function ranks(levels) {
    const order = levels.map((_, i) => i);
    const collator = new Intl.Collator("en", { numeric: true });
    order.sort((a, b) => collator.compare(levels[a], levels[b]));
    const rank = [];
    order.forEach((level, at) => { rank[level] = at; });
    return rank;
  }

  // The key that a row is sorted by; NaN where there is no value.
  function keys(column) {
    if (column.levels) {
      const rank = ranks(column.levels);
      return column.codes.map((code) => rank[code]);
    }
    return column.numbers.map((x) => (x === null ? NaN : Number(x)));
  }

  // Rows without a value stay last in both directions; equal rows keep their order.
  function sorted(rows, key, sign) {
    return rows.sort((a, b) => {
      const x = key[a], y = key[b];
      if (x !== x || y !== y) return (x !== x) - (y !== y) || a - b;
      return sign * (x - y) || a - b;
    });
  }

  // The rows in which every word of the text occurs somewhere; each level is searched once, not each row.
  function matching(data, text) {
    const rows = Array.from({ length: data.size }, (_, i) => i);
    const worded = data.columns.filter((c) => c.levels);
    return text.toLowerCase().split(/\s+/).filter(Boolean).reduce((left, word) => {
      const hits = worded.map((c) => c.levels.map((level) => level.toLowerCase().includes(word)));
      return left.filter((row) => worded.some((c, i) => hits[i][c.codes[row]]));
    }, rows);
  }

  function cellOf(column, row) {
    const cell = document.createElement("td");
    if (column.levels) {
      cell.className = column.long ? "word long" : "word";
      cell.textContent = column.levels[column.codes[row]];
    } else {
      const x = column.numbers[row];
      cell.textContent = x === null ? "—" : String(x);
    }
    return cell;
  }

  function lineOf(data, row) {
    const line = document.createElement("tr");
    data.columns.forEach((column) => line.append(cellOf(column, row)));
    const state = data.columns.find((c) => c.name === "state");
    if (state && state.levels[state.codes[row]] === "failed") line.className = "failed";
    return line;
  }

  function headOf(column, press) {
    const head = document.createElement("th");
    const button = document.createElement("button");
    head.scope = "col";
    head.className = column.levels ? "word" : "";
    head.setAttribute("aria-sort", "none");
    button.type = "button";
    button.textContent = column.name;
    button.addEventListener("click", () => press(column, head));
    head.append(button);
    return head;
  }

  function show(box) {
    const data = JSON.parse(box.querySelector("script").textContent);
    const [head, body] = [box.querySelector("thead tr"), box.querySelector("tbody")];
    const [input, more, count] = ["input", ".more", ".count"].map((what) => box.querySelector(what));
    data.columns.forEach((c) => { c.long = c.levels && c.levels.some((level) => level.length > LONG); });
    let rows = matching(data, ""), key = null, sign = 1, drawn = 0;

    function extend() {
      const next = rows.slice(drawn, drawn + STEP);
      body.append(...next.map((row) => lineOf(data, row)));
      drawn += next.length;
      more.hidden = drawn === rows.length;
      more.textContent = `Show ${Math.min(STEP, rows.length - drawn)} more`;
      count.textContent = `${drawn.toLocaleString("en")} of ${rows.length.toLocaleString("en")} rows shown`;
    }

    function redraw() {
      body.replaceChildren();
      drawn = 0;
      extend();
    }

    function press(column, pressed) {
      sign = pressed.getAttribute("aria-sort") === "ascending" ? -1 : 1;
      Array.from(head.children).forEach((other) => other.setAttribute("aria-sort", "none"));
      pressed.setAttribute("aria-sort", sign > 0 ? "ascending" : "descending");
      key = keys(column);
      sorted(rows, key, sign);
      redraw();
    }

    function filter() {
      rows = matching(data, input.value);
      if (key) sorted(rows, key, sign);
      redraw();
    }

    let timer = 0;
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(filter, 120);
    });
    more.addEventListener("click", extend);
    head.append(...data.columns.map((column) => headOf(column, press)));
    redraw();
  }

  document.querySelectorAll(".rows").forEach(show);

  // Paper cannot be unfolded, nor scrolled to pictures that wait.
  let folded = [];
  window.addEventListener("beforeprint", () => {
    folded = Array.from(document.querySelectorAll("details:not([open])"));
    folded.forEach((one) => { one.open = true; });
    document.querySelectorAll("img").forEach((one) => { one.loading = "eager"; });
  });
  window.addEventListener("afterprint", () => folded.forEach((one) => { one.open = false; }));
})();
