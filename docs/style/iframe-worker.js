/* A page opened from file:// may start no Worker. The search then runs in a hidden frame that behaves like one. */
if (location.protocol === "file:") {
  window.Worker = class extends EventTarget {
    constructor(url) {
      super();
      const frame = document.createElement("iframe");
      frame.hidden = true;
      document.body.appendChild(frame);
      this.inside = frame.contentWindow;
      const scripts = (urls) => urls.reduce((done, one) => done.then(() => new Promise((loaded, failed) => {
        const script = this.inside.document.createElement("script");
        script.src = one;
        script.onload = loaded;
        script.onerror = () => failed(new Error("cannot load " + one));
        this.inside.document.body.appendChild(script);
      })), Promise.resolve());
      this.inside.document.open();
      this.inside.document.write("<!doctype html><html><body></body></html>");
      this.inside.document.close();
      this.inside.importScripts = (...urls) => scripts(urls);
      this.inside.postMessage = (data) => this.dispatchEvent(new MessageEvent("message", { data }));
      this.ready = scripts([url]);
      this.addEventListener("message", (event) => this.onmessage && this.onmessage(event));
    }
    postMessage(data) {
      this.ready.then(() => this.inside.dispatchEvent(new MessageEvent("message", { data })));
    }
    terminate() {}
  };
}
