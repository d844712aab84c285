// A timer that ends with its part of the page.

/** A function that waits so many milliseconds before it acts. A later call replaces an earlier one, and the signal ends it. */
export function createTimer(signal: AbortSignal) {
  let timer = 0;
  const stop = () => clearTimeout(timer);
  signal.addEventListener("abort", stop);
  return (act: () => void, ms: number) => {
    stop();
    timer = window.setTimeout(act, ms);
  };
}
