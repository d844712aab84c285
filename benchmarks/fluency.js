// What a reader of the page sees and when, noted in the page itself. Left on the window: `startRecording(root,
// handle, name)`, `stopRecording()`, `confirmed()` and `moveQuickly(element, points, rate)`.
//
// A frame is noted when it has been rendered: a task of the highest priority, asked for at its start, runs after its
// style, layout and paint and before any message of the server. Pointer events are noted with their timeStamp, the
// moment at which the browser got them, so the wait for the next frame counts. Times are in milliseconds.
(() => {
  const afterPaint = [];
  let isInFrame = false;
  const painted = () => {
    isInFrame = false;
    const now = performance.now();
    for (const callback of afterPaint.splice(0)) callback(now);
  };
  // Runs before what others ask for during the same frame, and keeps the frames coming as on a screen.
  const tick = () => {
    isInFrame = true;
    scheduler.postTask(painted, { priority: "user-blocking" });
    requestAnimationFrame(tick);
  };
  requestAnimationFrame(tick);

  const whenPainted = (callback) => {
    if (isInFrame) afterPaint.push(callback);
    else requestAnimationFrame(() => afterPaint.push(callback));
  };

  const POINTER = ["pointerrawupdate", "pointermove"];
  let recording = null;

  window.startRecording = (root, handle, name) => {
    const find = (testid) => root.querySelector(`[data-testid="${testid}"]`);
    const sliderValue = (testid) => Number(find(testid)?.getAttribute("aria-valuenow"));
    const frames = [];
    const sent = [];
    const received = [];
    let pending = [];
    let lastEvent = 0;
    let firstEvent = null;
    let onConfirmed = null;
    let lastHandle = sliderValue(handle);

    const onPointer = (event) => {
      if (event.timeStamp === lastEvent) return; // told of before its frame, and again in it
      pending.push(event.timeStamp);
      lastEvent = event.timeStamp;
      firstEvent ??= event.timeStamp;
    };
    for (const type of POINTER) window.addEventListener(type, onPointer, true);

    const observer = new MutationObserver((records) => {
      const frame = {
        handle: sliderValue(handle),
        wanted: sliderValue(name),
        shown: Number(root.dataset[name]),
        source: root.dataset.source,
        hasNewBand: records.some(({ target }) => target.dataset.testid?.startsWith("band-")),
        events: [],
      };
      if (frame.handle !== lastHandle) {
        lastHandle = frame.handle;
        frame.events = pending;
        pending = [];
      }
      whenPainted((painted) => {
        frames.push({ ...frame, painted });
        if (onConfirmed && confirmedAfter() !== null) onConfirmed();
      });
    });
    /** From the first event to the frame with the kernel's word on it, which comes after the handle has moved. */
    const confirmedAfter = () => {
      const moved = frames.findIndex(({ events }) => events.length > 0);
      const frame = moved < 0 ? undefined : frames.slice(moved).find(({ source }) => source === "kernel");
      return frame ? frame.painted - firstEvent : null;
    };
    observer.observe(root, {
      subtree: true,
      attributeFilter: ["aria-valuenow", "d", "data-source", `data-${name}`],
    });

    const kernel = window.jupyterapp.shell.currentWidget.sessionContext.session.kernel;
    const onMessage = (_, { msg, direction }) => {
      const data = msg.header.msg_type === "comm_msg" ? msg.content.data : {};
      const note = data.method === "custom" ? data.content : data.state?._frame;
      if (!note?.seq || !note.client) return;
      const { seq } = note;
      const time = performance.now();
      if (direction === "send") sent.push({ seq, value: note[name], time, event: lastEvent });
      else {
        const answer = { seq, time };
        received.push(answer);
        requestAnimationFrame(() =>
          afterPaint.push((now) => {
            answer.painted = now;
          }),
        );
      }
    };
    kernel.anyMessage.connect(onMessage);

    recording = {
      confirmed: () =>
        new Promise((resolve, reject) => {
          setTimeout(() => reject(new Error("the kernel's answer was never drawn")), 5000);
          onConfirmed = () => resolve(confirmedAfter());
          if (confirmedAfter() !== null) onConfirmed();
        }),
      stop() {
        for (const type of POINTER) window.removeEventListener(type, onPointer, true);
        observer.disconnect();
        kernel.anyMessage.disconnect(onMessage);
        return { frames, sent, received, lastEvent };
      },
    };
  };

  window.stopRecording = () => recording.stop();
  window.confirmed = () => recording.confirmed();

  // A hand that moves faster than the browser lets real events through: `rate` events a second.
  window.moveQuickly = async (element, points, rate) => {
    const began = performance.now();
    for (let i = 0; i < points.length; ) {
      await new Promise((resolve) => setTimeout(resolve, 0));
      const due = Math.min(points.length, Math.ceil(((performance.now() - began) / 1000) * rate));
      for (; i < due; i++) {
        const [clientX, clientY] = points[i];
        const options = { bubbles: true, pointerId: 1, pointerType: "mouse", buttons: 1, clientX, clientY };
        element.dispatchEvent(new PointerEvent("pointermove", options));
      }
    }
    return performance.now() - began;
  };
})();
