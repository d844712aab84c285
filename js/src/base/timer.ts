// Timer of a part of the page.

/** Does something after so many milliseconds, unless it is asked again before, or the part has gone. */
export function createTimer(signal: AbortSignal) {
  let timer = 0;
  const stop = () => clearTimeout(timer);
  signal.addEventListener("abort", stop);
  return (act: () => void, ms: number) => {
    stop();
    timer = window.setTimeout(act, ms);
  };
}
