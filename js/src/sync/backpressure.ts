// Back-pressure towards the kernel. At most two requests wait for an answer (two hide the server's delay, a third
// only queues), and they go out at a pace at which page, server and kernel have time for other work. A request says what
// is wished for as it goes out, and the last wish is always sent in the end.

const WINDOW = 2;
const PACE_MS = 50;
/** While a hand is on the move and the page draws ahead: each answer also makes the notebook around the widget work. */
const AHEAD_PACE_MS = 100;
/** Wishes that follow each other as quickly as this come from a hand on the move. */
const MOVING_MS = 40;
const PATIENCE_MS = 1500;
const LONGEST_PATIENCE_MS = 24000;

export interface Clock {
  now(): number;
  setTimeout(callback: () => void, ms: number): number;
  clearTimeout(timer: number): void;
}

export const pageClock: Clock = {
  now: () => performance.now(),
  setTimeout: (callback, ms) => window.setTimeout(callback, ms),
  clearTimeout: (timer) => window.clearTimeout(timer),
};

export interface Backpressure {
  /** Sends the request as soon as there is room. `isAhead` says that the page has drawn it already. */
  wish(isAhead: boolean): void;
  /** Says that the hand has let go: the last request then waits no longer than usual. */
  rest(): void;
  /** Whether a later answer than this one has come. */
  isPast(seq: number): boolean;
  /** Takes an answer; true if no later one has come before it. */
  answered(seq: number): boolean;
  /** The number of the newest answer. */
  readonly newest: number;
  /** Whether nothing waits, neither here nor at the kernel. */
  readonly idle: boolean;
  /** How many requests in a row were not answered in time. */
  readonly lost: number;
  /** Forgets what waits. */
  clear(): void;
}

/** Calls back once after a while; a new call takes the place of the one before, and null takes it away. */
function createAlarm(clock: Clock) {
  let id: number | null = null;
  return (callback: () => void, wait: number | null) => {
    if (id !== null) clock.clearTimeout(id);
    id = wait === null ? null : clock.setTimeout(callback, wait);
  };
}

export function createBackpressure(send: (seq: number) => void, clock: Clock, lastSeq: number): Backpressure {
  const sentAt = new Map<number, number>();
  let seq = lastSeq;
  let newestAnswer = lastSeq;
  let isWished = false;
  let lost = 0;
  let pace = PACE_MS;
  let lastSendAt = Number.NEGATIVE_INFINITY;
  let lastWishAt = Number.NEGATIVE_INFINITY;
  const [outOfPatience, nextTime] = [createAlarm(clock), createAlarm(clock)];

  function pump() {
    if (isWished && sentAt.size < WINDOW && isTime()) {
      isWished = false;
      seq += 1;
      lastSendAt = clock.now();
      sentAt.set(seq, lastSendAt);
      send(seq);
    }
    watchOldest();
  }

  /** Whether the next request may go out; if it is too early, sending is tried again when it is time. */
  function isTime(): boolean {
    const wait = lastSendAt + pace - clock.now();
    nextTime(pump, wait <= 0 ? null : wait);
    return wait <= 0;
  }

  function watchOldest() {
    const [oldest] = sentAt.values();
    outOfPatience(giveUp, oldest === undefined ? null : oldest + patience() - clock.now());
  }

  // A kernel that is merely busy will read every repetition later, hence the growing patience.
  const patience = () => Math.min(PATIENCE_MS * 2 ** lost, LONGEST_PATIENCE_MS);

  function giveUp() {
    sentAt.clear();
    lost += 1;
    isWished = true;
    pump();
  }

  return {
    wish(isAhead) {
      const now = clock.now();
      pace = isAhead && now - lastWishAt < MOVING_MS ? AHEAD_PACE_MS : PACE_MS;
      lastWishAt = now;
      isWished = true;
      pump();
    },
    rest() {
      pace = PACE_MS;
      pump();
    },
    isPast: (answer) => answer < newestAnswer,
    answered(answer) {
      for (const waiting of sentAt.keys()) if (waiting <= answer) sentAt.delete(waiting);
      lost = 0;
      const isNews = !this.isPast(answer);
      newestAnswer = Math.max(newestAnswer, answer);
      pump();
      return isNews;
    },
    get newest() {
      return newestAnswer;
    },
    get idle() {
      return !isWished && sentAt.size === 0;
    },
    get lost() {
      return lost;
    },
    clear() {
      outOfPatience(giveUp, null);
      nextTime(pump, null);
      lost = 0;
      sentAt.clear();
      isWished = false;
    },
  };
}
