import { type LiveServices, type ServiceState, isSameState } from '../../../shared/health-services.ts'
import { randomHex } from '../../platform/ids.ts'

/** An event with the id that a reconnecting browser sends to say which event it received last. */
export interface LiveEvent {
  readonly id: string
  readonly event: LiveServices
}

interface LiveSources {
  readonly states: () => Iterable<ServiceState>
  /** Returns a number that changes whenever a service is added, removed or edited. */
  readonly listVersion: () => number
  readonly everyMs: number
}

interface Known {
  state: ServiceState
  /** The revision at which the state changed last. */
  revision: number
}

/** Bounds the events that wait for a browser that reads slowly. */
const servicesPerEvent = 500

/**
 * Creates the live updates of the list of services. All states are compared once per interval for all followers together,
 * as long as there is a follower; of each follower only the revision that it has reached is stored.
 */
export function createLiveServices({ states, listVersion, everyMs }: LiveSources) {
  /** The prefix of event ids, because those of one run of the server mean nothing to another. */
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
    if (timer !== undefined) return // the known states are no older than one interval
    look()
    timer = setInterval(look, everyMs)
  }

  function leave(): void {
    followers--
    if (followers > 0) return
    clearInterval(timer)
    timer = undefined
  }

  /** Yields the changes since a revision, in parts. The ids of all parts but the last repeat `seen`, so that a lost part is sent again. */
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

  /** Returns the revision of an event id; 0, which means everything, for an unknown one. */
  function seenAt(lastEventId: string | undefined): number {
    const [ofRun, seen] = (lastEventId ?? '').split('-')
    return ofRun === run && Number(seen) <= revision ? Number(seen) : 0
  }

  return {
    /** Yields every service (or those changed since an event), then each change, until the signal aborts. */
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

/** Stores the current states. Returns whether anything but the instants of evaluation has changed. */
function refresh(known: Map<string, Known>, states: Iterable<ServiceState>, revision: number): boolean {
  let hasChanged = false
  for (const state of states) {
    const entry = known.get(state.id)
    if (entry && isSameState(entry.state, state)) {
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
