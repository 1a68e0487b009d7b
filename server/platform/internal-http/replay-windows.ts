/** Refuses what was received before. */
export interface ReplayWindows {
  /** Returns true for a number of a sender that is new, and remembers it. */
  take(sender: string, number: number, now: number): boolean
}

/** How many numbers below the highest one may still come: requests overtake each other on different connections. */
const windowSize = 131_072
const rememberedMs = 120_000

interface ReplayWindow {
  highest: number
  readonly seen: Uint8Array
  takenAt: number
}

/**
 * The anti-replay window of IPsec (RFC 4303 section 3.4.3), one for each sender: exact, and bounded in memory however many
 * requests come. A sender that was silent for longer than a signature is valid can be forgotten. `now` is in ms.
 */
export function createReplayWindows(): ReplayWindows {
  const windows = new Map<string, ReplayWindow>()

  function windowOf(sender: string, now: number): ReplayWindow {
    const known = windows.get(sender)
    if (known !== undefined) return known
    for (const [name, { takenAt }] of windows) if (now - takenAt > rememberedMs) windows.delete(name)
    const created: ReplayWindow = { highest: 0, seen: new Uint8Array(windowSize / 8), takenAt: now }
    windows.set(sender, created)
    return created
  }

  return {
    take(sender, number, now) {
      const window = windowOf(sender, now)
      if (number <= window.highest - windowSize) return false
      if (number > window.highest) {
        advance(window, number)
        window.highest = number
      } else if (isSeen(window, number)) return false
      window.takenAt = now
      mark(window, number)
      return true
    },
  }
}

/** Frees the places of numbers that have left the window. */
function advance({ highest, seen }: ReplayWindow, number: number): void {
  if (number - highest >= windowSize) return void seen.fill(0)
  for (let next = highest + 1; next <= number; next++) {
    const place = next % windowSize
    seen[place >> 3] = (seen[place >> 3] ?? 0) & ~(1 << (place & 7))
  }
}

function isSeen({ seen }: ReplayWindow, number: number): boolean {
  const place = number % windowSize
  return ((seen[place >> 3] ?? 0) & (1 << (place & 7))) !== 0
}

function mark({ seen }: ReplayWindow, number: number): void {
  const place = number % windowSize
  seen[place >> 3] = (seen[place >> 3] ?? 0) | (1 << (place & 7))
}
