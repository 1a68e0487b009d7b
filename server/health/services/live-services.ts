import type { LiveServices, ServiceState } from '../../../shared/health-services.ts'
import { randomHex } from '../../platform/ids.ts'

/** An event with the id by which a browser that comes again says how far it has come. */
export interface LiveEvent {
  readonly id: string
  readonly event: LiveServices
}

interface LiveSources {
  readonly states: () => Iterable<ServiceState>
  /** Changes whenever a service comes, goes or is edited. */
  readonly listVersion: () => number
  readonly everyMs: number
}

interface Known {
  state: ServiceState
  /** That of the last look at which it was another one. */
  revision: number
}

/** Bounds what waits for a browser that is slow to read. */
const servicesPerEvent = 500

/**
 * What changes of the services, for everybody who looks at the list. Everything is looked through once for all of them,
 * as long as there is anybody; of each of them only is kept how far it has come.
 */
export function createLiveServices({ states, listVersion, everyMs }: LiveSources) {
  /** Ids of one run of the server mean nothing to another. */
  const run = randomHex(4)
  const known = new Map<string, Known>()
  let revision = 0
  let knownVersion = listVersion()
  let next = Promise.withResolvers<void>()
  let followers = 0
  let timer: Timer | undefined

  function look(): void {
    const hasListChanged = listVersion() !== knownVersion
    knownVersion = listVersion()
    const changed = refresh(known, states(), revision + 1)
    if (hasListChanged) forgetOthers(known, states())
    if (!changed && !hasListChanged) return
    revision++
    next.resolve()
    next = Promise.withResolvers()
  }

  function join(): void {
    followers++
    if (timer !== undefined) return // what is known is no older than that
    look()
    timer = setInterval(look, everyMs)
  }

  function leave(): void {
    followers--
    if (followers > 0) return
    clearInterval(timer)
    timer = undefined
  }

  /** In parts; the id of all but the last says to begin again after `seen`. */
  function* since(seen: number): Generator<LiveEvent> {
    const services = [...known.values()].flatMap((entry) => (entry.revision > seen ? [entry.state] : []))
    const now = revision
    for (let from = 0; from === 0 || from < services.length; from += servicesPerEvent) {
      const isLast = from + servicesPerEvent >= services.length
      yield {
        id: `${run}-${isLast ? now : seen}`,
        event: {
          services: services.slice(from, from + servicesPerEvent),
          listVersion: `${run}-${knownVersion}`,
        },
      }
    }
  }

  /** How far the browser had come that names this event; 0: it needs everything. */
  function seenAt(lastEventId: string | undefined): number {
    const [ofRun, seen] = (lastEventId ?? '').split('-')
    return ofRun === run && Number(seen) <= revision ? Number(seen) : 0
  }

  return {
    /** Everything there is (or since an event), then what changes, until the signal. */
    async *follow(lastEventId: string | undefined, signal: AbortSignal): AsyncGenerator<LiveEvent> {
      const ended = Promise.withResolvers<void>()
      signal.addEventListener('abort', () => ended.resolve(), { once: true })
      join()
      try {
        let seen = seenAt(lastEventId)
        for (let isFirst = true; !signal.aborted; isFirst = false) {
          const upTo = revision
          if (isFirst || upTo > seen) yield* since(seen)
          seen = upTo
          if (revision === seen) await Promise.race([next.promise, ended.promise])
        }
      } finally {
        leave()
      }
    },

    stop: () => clearInterval(timer),
  }
}

/** Takes over what is now; tells whether anything but the instants of evaluation has changed. */
function refresh(known: Map<string, Known>, states: Iterable<ServiceState>, revision: number): boolean {
  let hasChanged = false
  for (const state of states) {
    const entry = known.get(state.id)
    if (entry && isSame(entry.state, state)) {
      entry.state = state
      continue
    }
    known.set(state.id, { state, revision })
    hasChanged = true
  }
  return hasChanged
}

function forgetOthers(known: Map<string, Known>, states: Iterable<ServiceState>): void {
  const ids = new Set([...states].map(({ id }) => id))
  for (const id of known.keys()) if (!ids.has(id)) known.delete(id)
}

const isSame = (one: ServiceState, other: ServiceState): boolean =>
  one.decision === other.decision &&
  one.decisionSince === other.decisionSince &&
  one.liveVerifiers === other.liveVerifiers &&
  one.avgBlocksLatency === other.avgBlocksLatency &&
  one.avgTimeLatency === other.avgTimeLatency &&
  one.maintenance?.until === other.maintenance?.until &&
  one.maintenance?.note === other.maintenance?.note
