import type { Ownership } from './ownership.ts'

/** Whether this process decides, and since when. */
export interface Deciding {
  /** Returns true while this process certainly owns the lease, and has taken over what was decided before. */
  isDeciding(): boolean
  /** The instant (epoch ms) since which it decides after another process; time before that is the other's to count. */
  since(): number
  begin(): void
  end(): void
  /** Stores what was decided: rolled back with `LeaseLost` where another process has taken over since it began. */
  readonly transaction: Ownership['transaction']
}

interface DecidingOptions {
  readonly ownership: Pick<Ownership, 'epoch' | 'transaction'>
  readonly clock: { now(): number }
  /** Whether there can be others that decided before. */
  readonly hasOthers: boolean
}

export function createDeciding({ ownership, clock, hasOthers }: DecidingOptions): Deciding {
  let since: number | null = null
  return {
    isDeciding: () => since !== null && ownership.epoch() !== null,
    since: () => since ?? Number.POSITIVE_INFINITY,
    begin() {
      since = hasOthers ? clock.now() : Number.NEGATIVE_INFINITY
    },
    end() {
      since = null
    },
    transaction: ownership.transaction,
  }
}
