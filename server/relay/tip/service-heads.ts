/** The heads of monitored services, as their verifiers see them. */
export interface ServiceHeads {
  /** Returns the head of a service; null while no verifier has reported one of late. */
  of(serviceId: string): ServiceHead | null
}

export interface ServiceHead {
  readonly height: number
  /** When it was seen, in ms of the monotonic clock. */
  readonly at: number
}

interface HeadSources {
  /** Returns the newest head of a service by each verifier; `at` is when it was seen, by the clock of health. */
  reported(serviceId: string): readonly { readonly height: number; readonly at: number }[]
  /** The clock of health, in epoch ms. */
  healthNow(): number
  /** In ms of the monotonic clock. */
  now(): number
}

/** Older heads say nothing about now. */
const freshMs = 60_000

export function createServiceHeads({ reported, healthNow, now }: HeadSources): ServiceHeads {
  return {
    of(serviceId) {
      const seenAt = healthNow()
      const fresh = reported(serviceId).filter(({ at }) => seenAt - at < freshMs)
      const highestFirst = fresh.toSorted((one, other) => other.height - one.height)
      // One verifier among several cannot lift a head alone.
      const head = highestFirst[highestFirst.length > 1 ? 1 : 0]
      return head === undefined ? null : { height: head.height, at: now() - Math.max(0, seenAt - head.at) }
    },
  }
}
