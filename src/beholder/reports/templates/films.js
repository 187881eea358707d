// Films: a playhead and boxes that follow a clip, and marks that jump to their moment. Nothing plays by itself.
(function () {
  "use strict";
  const INSIDE = 0.002; // s: into a moment, past the thousandths to which frames are timed

  // A clip is loaded when somebody first wants to see it; it can be sought once it knows how long it is.
  function ready(video, then) {
    if (video.readyState > 0) return then();
    video.addEventListener("loadedmetadata", then, { once: true });
    video.preload = "auto";
    video.load();
  }

  function play(video) {
    video.play().catch(() => {}); // stopped again before it began
  }

  function boxOf(mark, place) {
    const box = document.createElement("div");
    const [left, top, width, height] = (mark.dataset.box || "0 0 100 100").split(" ");
    box.style.cssText = `left:${left}%;top:${top}%;width:${width}%;height:${height}%`;
    box.className = mark.closest(".line").classList[1] + (mark.classList.contains("excused") ? " excused" : "");
    place.append(box);
    return box;
  }

  function marksOf(film) {
    return Array.from(film.querySelectorAll(".mark"), (button) => ({
      button,
      start: Number(button.dataset.start),
      end: Number(button.dataset.end),
      counts: !button.classList.contains("excused"),
      box: null,
    })).sort((a, b) => a.start - b.start);
  }

  function show(film) {
    const video = film.querySelector("video");
    if (!video) return;
    const find = (what) => film.querySelector(what);
    const [head, place, told, slider, button, slow] = [".head", ".boxes", ".told", "input", ".play", ".slow"].map(find);
    const seconds = Number(film.dataset.seconds), marks = marksOf(film);
    const flagged = marks.filter((mark) => mark.counts);
    let asked = null; // the mark that was last jumped to

    // The browser's controls would lie on what is flagged; ours are below.
    video.controls = false;
    [find(".control"), find(".steps")].forEach((part) => { part.hidden = false; });

    function follow() {
      const now = video.currentTime;
      head.style.left = `${Math.min(100, 100 * now / seconds)}%`;
      slider.value = now;
      slider.setAttribute("aria-valuetext", `${now.toFixed(2)} s`);
      marks.forEach((mark) => {
        const there = now >= mark.start - INSIDE && now < mark.end;
        const boxed = there && (mark.counts || mark === asked); // what is excused only when it is asked for
        if (boxed && !mark.box) mark.box = boxOf(mark.button, place);
        if (mark.box) mark.box.hidden = !boxed;
        mark.button.classList.toggle("now", there);
      });
      button.textContent = video.paused ? "▶" : "❚❚";
      button.setAttribute("aria-label", video.paused ? "play" : "pause");
      if (!video.paused) requestAnimationFrame(follow);
    }

    function seek(to) {
      video.pause();
      ready(video, () => { video.currentTime = Math.max(0, Math.min(to, seconds - INSIDE)); });
    }

    // The same mark again leads to its last frame, and back to its first.
    function jump(mark) {
      const again = asked === mark && video.currentTime < mark.end - 3 * INSIDE;
      asked = mark;
      seek(again ? mark.end - 2 * INSIDE : mark.start + INSIDE);
      told.textContent = `${mark.button.title}. ${again ? "This is its last frame." : "Press the mark again for its last frame."}`;
    }

    function step(by) {
      const now = video.currentTime;
      const before = flagged.filter((mark) => mark.start + 2 * INSIDE < now);
      const after = flagged.filter((mark) => mark.start > now);
      jump(by > 0 ? after[0] || flagged[0] : before[before.length - 1] || flagged[flagged.length - 1]);
    }

    const toggle = () => (video.paused ? play(video) : video.pause());
    [video, button].forEach((one) => one.addEventListener("click", toggle));
    slider.addEventListener("input", () => seek(Number(slider.value)));
    slow.addEventListener("click", () => {
      video.defaultPlaybackRate = video.playbackRate = video.playbackRate === 1 ? 0.25 : 1;
      slow.setAttribute("aria-pressed", String(video.playbackRate !== 1));
    });
    marks.forEach((mark) => mark.button.addEventListener("click", () => jump(mark)));
    film.querySelectorAll("[data-by]").forEach((one) => one.addEventListener("click", () => step(Number(one.dataset.by))));
    ["play", "pause", "seeking", "seeked", "timeupdate"].forEach((what) => video.addEventListener(what, follow));
  }

  function together(button) {
    const videos = Array.from(button.closest(".films").querySelectorAll("video"));
    const playing = () => videos.some((video) => !video.paused);
    button.hidden = false;
    button.addEventListener("click", () => {
      if (playing()) return videos.forEach((video) => video.pause());
      videos.forEach((video) => {
        video.currentTime = 0;
        play(video);
      });
    });
    const name = () => { button.textContent = playing() ? "Pause all" : "Play all"; };
    videos.forEach((video) => ["play", "pause"].forEach((what) => video.addEventListener(what, name)));
  }

  document.querySelectorAll(".film").forEach(show);
  document.querySelectorAll(".together").forEach(together);
})();
