/** Since when something fails that is done again and again. */
export interface FailingSince {
  failed(): void
  worked(): void
  /** Epoch ms of the first failure since it last worked; null while it works. */
  since(): number | null
}

export function createFailingSince(now: () => number): FailingSince {
  let since: number | null = null
  return {
    failed() {
      since ??= now()
    },
    worked() {
      since = null
    },
    since: () => since,
  }
}
