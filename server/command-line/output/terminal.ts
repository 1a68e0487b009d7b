import { systemClock } from '../../platform/clock.ts'

const redrawEveryMs = 200

/** Prints a line of the result to standard output, so that it can be piped. */
export const printResult = (text: string): void => void process.stdout.write(`${text}\n`)

export const printJsonResult = (value: unknown): void => printResult(JSON.stringify(value, null, 2))

/** Prints a line that is not part of the result to standard error. */
export const printError = (text: string): void => void process.stderr.write(`${text}\n`)

/** A line on standard error that is redrawn in place. */
export interface ProgressLine {
  show(text: string): void
  end(): void
}

/** Creates a progress line. It shows nothing unless standard error is a terminal. */
export function createProgressLine(): ProgressLine {
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
