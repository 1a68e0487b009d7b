/** Calls that began in one minute and have not ended. */
export interface UnsettledMinute {
  /** Since 1970. */
  readonly minute: number
  calls: number
}

/** How many calls have not ended, by the minute in which they began. */
export interface UnsettledCalls {
  /** The minutes that are asked for never run back. */
  at(minute: number): UnsettledMinute
  /** Calls that began before will not be told to have ended. */
  forgetBefore(minute: number): void
  oldestMinute(): number | null
}

export function createUnsettledCalls(): UnsettledCalls {
  let minutes: UnsettledMinute[] = []
  let newest: UnsettledMinute | undefined

  return {
    at(minute) {
      if (newest?.minute !== minute) {
        newest = { minute, calls: 0 }
        minutes.push(newest)
      }
      return newest
    },
    forgetBefore(minute) {
      minutes = minutes.filter((each) => each.minute >= minute && (each.calls > 0 || each === newest))
    },
    oldestMinute: () => minutes.find(({ calls }) => calls > 0)?.minute ?? null,
  }
}
