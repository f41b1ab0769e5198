// Search in a site that was opened from disk: a browser starts no workers there, so the script of the search runs in
// a hidden frame that behaves like a worker. The theme's plugin `offline` asks for a file of this name.
if (location.protocol === "file:") {
  window.IFrameWorker = window.Worker = class extends EventTarget {
    constructor(url) {
      super()
      const frame = document.createElement("iframe")
      frame.hidden = true
      document.body.append(frame)
      const scope = frame.contentWindow
      scope.postMessage = data => this.dispatchEvent(new MessageEvent("message", {data}))
      const script = scope.document.createElement("script")
      this.loaded = new Promise(resolve => script.addEventListener("load", resolve))
      script.src = url
      scope.document.body.append(script)
      this.scope = scope
    }

    async postMessage(data) {
      await this.loaded
      this.scope.dispatchEvent(new this.scope.MessageEvent("message", {data}))
    }
  }
}
