import { systemClock } from '../platform/clock.ts'

const redrawEveryMs = 200

/** A result: goes to standard output, so that it can be piped. */
export const print = (text: string): void => void process.stdout.write(`${text}\n`)

export const printJson = (value: unknown): void => print(JSON.stringify(value, null, 2))

/** Everything that is not the result. */
export const complain = (text: string): void => void process.stderr.write(`${text}\n`)

/** One line on standard error that is drawn over itself. */
export interface Progress {
  show(text: string): void
  end(): void
}

/** Shows nothing unless standard error is a terminal. */
export function createProgress(): Progress {
  if (!process.stderr.isTTY) return { show: () => undefined, end: () => undefined }
  let drawnAt = Number.NEGATIVE_INFINITY
  return {
    show(text) {
      const now = systemClock.monotonic()
      if (now - drawnAt < redrawEveryMs) return
      drawnAt = now
      process.stderr.write(`\r\u001b[K${text}`)
    },
    end: () => void process.stderr.write('\r\u001b[K'),
  }
}
