/** The heads of monitored services, as their verifiers see them. */
export interface ServiceHeads {
  /** Returns the head of a service; null while no verifier has reported one of late. */
  of(serviceId: string): ServiceHead | null
  /** Returns the block that several providers of a chain have reached, and when it was made; null where too few are watched. */
  ofChain(chain: string): ServiceHead | null
}

export interface ServiceHead {
  readonly height: number
  /** When it was seen, in ms of the monotonic clock. */
  readonly at: number
}

interface ChainReference {
  readonly height: number
  readonly timestamp: number
  /** Whether enough providers were seen to say who is right. */
  readonly isCorroborated: boolean
}

interface HeadSources {
  /** Returns the newest head of a service by each verifier; `at` is when it was seen, by the clock of health. */
  reported(serviceId: string): readonly { readonly height: number; readonly at: number }[]
  /** Returns what the nodes of a chain are measured by; `timestamp` is that of the block, in epoch s. */
  reference(chain: string): ChainReference | null
  /** The clock of health, in epoch ms. */
  healthNow(): number
  /** In ms of the monotonic clock. */
  now(): number
}

/** Older heads say nothing about now. */
const freshMs = 60_000

export function createServiceHeads({ reported, reference, healthNow, now }: HeadSources): ServiceHeads {
  return {
    of(serviceId) {
      const seenAt = healthNow()
      const fresh = reported(serviceId).filter(({ at }) => seenAt - at < freshMs)
      const highestFirst = fresh.toSorted((one, other) => other.height - one.height)
      // One verifier among several cannot lift a head alone.
      const head = highestFirst[highestFirst.length > 1 ? 1 : 0]
      return head === undefined ? null : { height: head.height, at: now() - Math.max(0, seenAt - head.at) }
    },
    ofChain(chain) {
      const head = reference(chain)
      if (head === null || !head.isCorroborated) return null
      return { height: head.height, at: now() - Math.max(0, healthNow() - head.timestamp * 1_000) }
    },
  }
}
