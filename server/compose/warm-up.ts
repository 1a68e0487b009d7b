/** How long (ms) a process that has just started may wait for its first decisions before it takes requests without them. */
const longestMs = 15_000

interface WarmUpOptions {
  readonly clock: { monotonic(): number }
  /** Whether every service has a decision other than UNKNOWN. */
  readonly isDecided: () => boolean
  /** How many processes there are, this one included; null while that is not known. */
  readonly processes: () => number | null
}

/**
 * Returns whether the process is still warming up: it would answer UNKNOWN about services that another process has decided
 * on. A process that is alone takes requests at once, because nobody else could. Once over, it is over for good.
 */
export function createWarmUp({ clock, isDecided, processes }: WarmUpOptions): () => boolean {
  const endsAt = clock.monotonic() + longestMs
  let isOver = false
  return () => {
    isOver ||= clock.monotonic() >= endsAt || processes() === 1 || isDecided()
    return !isOver
  }
}
