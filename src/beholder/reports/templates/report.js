// What a page does besides being read: sorts, filters, compares two models, draws the rows that are in sight.
// An element with classes and a text; the scripts after this one use it too.
function make(tag, classes, text) {
  const made = document.createElement(tag);
  if (classes) made.className = classes;
  if (text !== undefined) made.textContent = text;
  return made;
}

(function () {
  "use strict";
  const root = document.documentElement;
  root.classList.add("js");
  const collator = new Intl.Collator("en", { numeric: true });
  const all = (where, what) => Array.from(where.querySelectorAll(what));

  // Data stand inside the page, or in a script beside it that is loaded when somebody comes near.
  function load(box, then) {
    const inside = box.querySelector("script[type='application/json']");
    if (inside) return then(JSON.parse(inside.textContent));
    const key = box.dataset.key;
    if (window.beholder && window.beholder[key]) return then(window.beholder[key]);
    const script = make("script");
    script.src = box.dataset.src;
    script.onload = () => then(window.beholder[key]);
    script.onerror = () => box.append(make("p", "alert", `${box.dataset.src} is not beside this page: its table cannot be shown.`));
    document.head.append(script);
    return undefined;
  }

  function whenNear(box, then) {
    const watch = new IntersectionObserver((seen) => {
      if (!seen.some((one) => one.isIntersecting)) return;
      watch.disconnect();
      load(box, then);
    }, { rootMargin: "600px" });
    watch.observe(box);
  }

  // Sorting. What has no value stays last both ways; equals keep their order.
  function compared(x, y, sign) {
    if (x !== x || y !== y) return (x !== x) - (y !== y);
    return sign * (typeof x === "string" ? collator.compare(x, y) : x - y);
  }

  function turn(head, downFirst) {
    const now = head.getAttribute("aria-sort");
    const up = now === "none" ? !downFirst : now === "descending";
    Array.from(head.parentNode.children).forEach((other) => other.hasAttribute("aria-sort") && other.setAttribute("aria-sort", "none"));
    head.setAttribute("aria-sort", up ? "ascending" : "descending");
    return up ? 1 : -1;
  }

  function board(box) {
    const table = box.querySelector("table"), bodies = all(table, "tbody");
    all(table, "thead button").forEach((button) => {
      const head = button.closest("th"), at = Array.from(head.parentNode.children).indexOf(head);
      button.addEventListener("click", () => {
        const sign = turn(head, button.dataset.down === "1");
        bodies.forEach((body) => {
          const rows = Array.from(body.rows).map((row) => [keyOf(row.cells[at], button.dataset.key), row]);
          rows.sort((a, b) => compared(a[0], b[0], sign));
          body.append(...rows.map((one) => one[1]));
        });
      });
    });
  }

  function keyOf(cell, kind) {
    const text = "v" in cell.dataset ? cell.dataset.v : cell.textContent.trim();
    if (kind === "name") return text;
    return text === "" ? NaN : isNaN(Number(text)) ? text : Number(text);
  }

  // The tools above the scores: find a model, unfold all, spell out intervals.
  function scores(box) {
    const find = box.querySelector(".find"), whole = box.querySelector(".all"), spell = box.querySelector(".intervals");
    const boards = all(box, ":scope > .board table");
    let folded = Boolean(whole);
    const fold = (on) => boards.forEach((table) => table.classList.toggle("folded", on));
    fold(folded);
    if (whole) {
      whole.hidden = false;
      whole.addEventListener("click", () => { folded = false; fold(false); whole.hidden = true; });
    }
    if (find) find.addEventListener("input", () => {
      const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
      fold(folded && !words.length);
      boards.forEach((table) => all(table, "tbody tr").forEach((row) => {
        const text = `${row.cells[0].title} ${row.cells[0].textContent}`.toLowerCase();
        row.hidden = !words.every((word) => text.includes(word));
      }));
    });
    spell.addEventListener("change", () => box.classList.toggle("spelt", spell.checked));
  }

  // Two models: texts were made beforehand; here they are only found and shown.
  function pairs(box, data) {
    const [one, two] = [box.querySelector(".one"), box.querySelector(".two")], place = box.querySelector(".pair");
    const found = new Map(data.pairs.map((pair) => [`${pair[0]},${pair[1]}`, pair]));
    [one, two].forEach((select) => data.names.forEach((name, at) => {
      const role = data.roles[at];
      select.append(new Option(role === "baseline" ? name : `${name} (${role === "model" ? "yours" : role})`, at));
    }));
    [one.value, two.value] = data.first.map((name) => String(data.names.indexOf(name)));

    function show() {
      const [a, b] = [one.value, two.value], pair = found.get(`${a},${b}`);
      if (a === b) return place.replaceChildren(make("p", "", "Choose two different models."));
      if (!pair) return place.replaceChildren(make("p", "", `This pair was not computed beforehand: beholder compare "${data.names[a]}" "${data.names[b]}" shows it.`));
      const [, , says, lines, units] = pair, [first, second] = [data.names[a], data.names[b]];
      place.replaceChildren(make("p", "said", says), table(first, second, lines), ...where(first, second, units));
      return undefined;
    }

    function table(first, second, lines) {
      const wide = make("div", "wide"), made = make("table"), head = made.createTHead().insertRow(), body = made.createTBody();
      wide.tabIndex = 0;
      wide.setAttribute("role", "region");
      wide.setAttribute("aria-label", `${first} against ${second}`);
      ["measure", first, second, `difference, + favours ${first}`, "units", `won by ${first}`, "p"].forEach((name) => {
        const cell = make("th", "", name);
        cell.scope = "col";
        head.append(cell);
      });
      lines.forEach((line) => {
        const row = body.insertRow(), name = make("th", "", line[0]);
        name.scope = "row";
        row.className = line[line.length - 1] ? "best" : "";
        row.append(name, ...line.slice(1, -1).map((text) => make("td", "number", text.replace(", ", ",\u00a0"))));
      });
      wide.append(made);
      return wide;
    }

    function where(first, second, units) {
      if (!units.length) return [];
      const list = make("div", "twins"), words = make("ul", "soft");
      units.forEach(([measure, unit, x, y, gap, ahead, picture]) => {
        const figure = make("figure"), caption = make(picture ? "figcaption" : "li");
        caption.append(make("b", "", unit), ` ${measure}: ${first} ${x}, ${second} ${y} (${gap}); ${ahead} ahead`);
        if (!picture) return words.append(caption);
        const link = make("a"), image = make("img");
        link.href = image.src = picture;
        image.alt = `Sample ${unit} with the models' answers`;
        image.loading = "lazy";
        link.append(image);
        figure.append(link, caption);
        return list.append(figure);
      });
      return [make("h3", "", "Where they differ most"), list, words];
    }

    one.addEventListener("change", show);
    two.addEventListener("change", show);
    show();
  }

  // All rows. Words are stored once each as levels; a row has their codes. Only rows in sight are drawn.
  function rows(box, data) {
    const view = box.querySelector(".window"), table = view.querySelector("table"), head = view.querySelector("thead tr"), body = view.querySelector("tbody");
    const [input, count] = [box.querySelector("input"), box.querySelector(".count")];
    const state = data.columns.find((c) => c.name === "state"), role = data.columns.find((c) => c.name === "role");
    const textOf = (column, row) => {
      if (column.levels) return column.levels[column.codes[row]];
      return column.numbers[row] === null ? "—" : String(column.numbers[row]);
    };
    let shown = Array.from({ length: data.size }, (_, i) => i), key = null, sign = 1, height = 28;

    const group = make("colgroup");
    data.columns.forEach((column) => {
      const longest = column.levels ? Math.max(...column.levels.map((level) => level.length), column.name.length + 2) : 11;
      const col = make("col");
      column.width = Math.min(Math.max(longest, 6), 44) + 3;
      col.style.width = `${column.width}ch`;
      group.append(col);
    });
    table.prepend(group);
    table.style.width = `${data.columns.reduce((sum, column) => sum + column.width, 0)}ch`;

    function lineOf(row) {
      const line = make("tr");
      if (state && textOf(state, row) === "failed") line.className = "failed";
      else if (role && textOf(role, row) === "model") line.className = "own";
      data.columns.forEach((column) => {
        const text = textOf(column, row), cell = make("td", column.levels ? "word" : "", text);
        if (text.length > 40) cell.title = text;
        line.append(cell);
      });
      return line;
    }

    function gap(many) {
      const line = make("tr", "gap"), cell = make("td");
      cell.colSpan = data.columns.length;
      cell.style.height = `${many * height}px`;
      line.append(cell);
      line.setAttribute("aria-hidden", "true");
      return line;
    }

    function draw() {
      const first = Math.max(0, Math.floor(view.scrollTop / height) - 15), last = Math.min(shown.length, first + Math.ceil(view.clientHeight / height) + 40);
      const lines = shown.slice(first, last).map(lineOf);
      body.replaceChildren(...(first ? [gap(first)] : []), ...lines, ...(last < shown.length ? [gap(shown.length - last)] : []));
      if (lines.length && lines[0].offsetHeight) height = lines[0].offsetHeight;
      count.textContent = `${shown.length.toLocaleString("en")} of ${data.size.toLocaleString("en")} rows`;
    }

    function again() {
      view.scrollTop = 0;
      draw();
    }

    function matching(text) {
      const worded = data.columns.filter((c) => c.levels);
      const every = Array.from({ length: data.size }, (_, i) => i);
      return text.toLowerCase().split(/\s+/).filter(Boolean).reduce((left, word) => {
        const hits = worded.map((c) => c.levels.map((level) => level.toLowerCase().includes(word)));
        return left.filter((row) => worded.some((c, i) => hits[i][c.codes[row]]));
      }, every);
    }

    // Comparing codes by rank makes sorting cheap.
    function keys(column) {
      if (!column.levels) return column.numbers.map((x) => (x === null ? NaN : Number(x)));
      const order = column.levels.map((_, i) => i).sort((a, b) => collator.compare(column.levels[a], column.levels[b])), rank = [];
      order.forEach((level, at) => { rank[level] = at; });
      return column.codes.map((code) => rank[code]);
    }

    const sort = () => key && shown.sort((a, b) => compared(key[a], key[b], sign) || a - b);
    data.columns.forEach((column) => {
      const cell = make("th", column.levels ? "word" : ""), button = make("button", "", column.name);
      cell.scope = "col";
      cell.setAttribute("aria-sort", "none");
      button.type = "button";
      button.addEventListener("click", () => { sign = turn(cell, false); key = keys(column); sort(); again(); });
      cell.append(button);
      head.append(cell);
    });
    let timer = 0, asked = 0;
    input.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => { shown = matching(input.value); sort(); again(); }, 120);
    });
    view.addEventListener("scroll", () => {
      cancelAnimationFrame(asked);
      asked = requestAnimationFrame(draw);
    });
    draw();
  }

  // One file with many benchmarks shows one of them at a time, by the address.
  function single() {
    const parts = all(document, "main > .front, main > .benchmark"), main = document.querySelector("main");
    if (parts.length < 2) return;
    main.classList.add("single");
    const turnTo = () => {
      const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
      const wanted = (target && target.closest("main > .front, main > .benchmark")) || parts[0];
      parts.forEach((part) => { part.hidden = part !== wanted; });
      if (target) target.scrollIntoView();
    };
    window.addEventListener("hashchange", turnTo);
    turnTo();
  }

  all(document, ".board").forEach(board);
  all(document, "section.scores").forEach(scores);
  all(document, "section.pairs").forEach((box) => whenNear(box, (data) => pairs(box, data)));
  all(document, "section.rows").forEach((box) => whenNear(box, (data) => rows(box, data)));
  single();

  // Paper cannot be unfolded, nor scrolled to pictures that wait.
  let folded = [], hidden = [];
  window.addEventListener("beforeprint", () => {
    folded = all(document, "details:not([open])");
    folded.forEach((one) => { one.open = true; });
    hidden = all(document, "main > [hidden]");
    hidden.forEach((one) => { one.hidden = false; });
    all(document, "img").forEach((one) => { one.loading = "eager"; });
  });
  window.addEventListener("afterprint", () => {
    folded.forEach((one) => { one.open = false; });
    hidden.forEach((one) => { one.hidden = true; });
  });
})();
