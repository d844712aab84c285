// Makes timers that a signal stops.

/**
 * Returns a function that calls `act` after `ms` milliseconds. A new call replaces one that still waits. If the signal
 * aborts, nothing is called any more.
 */
export function createTimer(signal: AbortSignal) {
  let timer = 0;
  const stop = () => clearTimeout(timer);
  signal.addEventListener("abort", stop);
  return (act: () => void, ms: number) => {
    stop();
    timer = window.setTimeout(act, ms);
  };
}
