import type { Metrics } from '../../platform/metrics.ts'
import type { RequestFacts } from '../../platform/http/request-facts.ts'
import type { RpcError } from '../errors.ts'
import { CallerSocket, type CallerSocketServices, type Opening } from './caller-socket.ts'
import { SharedStreams } from './chain-streams.ts'
import { noRoomForSockets, noUpgrade, tooManySockets } from './socket-errors.ts'

/** The HTTP response when no WebSocket was opened. */
export interface NotOpened {
  readonly status: number
  readonly error: RpcError
}

export type CallerSockets = ReturnType<typeof createCallerSockets>

/** All WebSockets are rechecked in this many steps, so that no step takes long. */
const recheckSteps = 10
/** At most this many rechecks wait for the database at a time. */
const maxRechecking = 50

/** Holds the WebSockets of all callers, and bounds how many there are, in all and for each key. */
export function createCallerSockets(options: Omit<CallerSocketServices, 'sharedStreams'>, metrics: Metrics) {
  const { settings } = options
  const sharedStreams = new SharedStreams(options)
  const services: CallerSocketServices = { ...options, sharedStreams }
  const sockets = new Set<CallerSocket>()
  const byKey = new Map<string, number>()
  let isDraining = false
  let toRecheck: CallerSocket[] = []
  let rechecking = 0

  const countOf = (keyId: string): number => byKey.get(keyId) ?? 0

  function count(keyId: string, change: 1 | -1): void {
    const now = countOf(keyId) + change
    if (now === 0) byKey.delete(keyId)
    else byKey.set(keyId, now)
  }

  function remove(socket: CallerSocket): void {
    if (sockets.delete(socket)) count(socket.keyId, -1)
    if (sockets.size === 0) allGone.resolve()
  }

  async function recheck(socket: CallerSocket): Promise<void> {
    rechecking++
    await socket.recheck()
    rechecking--
  }

  function recheckSome(): void {
    if (toRecheck.length === 0) {
      toRecheck = [...sockets]
      sharedStreams.recheck()
    }
    const some = Math.ceil(sockets.size / recheckSteps)
    for (let done = 0; done < some && rechecking < maxRechecking; done++) {
      const socket = toRecheck.pop()
      if (socket !== undefined && sockets.has(socket)) void recheck(socket)
    }
  }

  const allGone = Promise.withResolvers<void>()
  const timer = setInterval(recheckSome, settings.recheckMs / recheckSteps)
  timer.unref()
  metrics.observedGauge('relay_web_sockets', 'Open WebSockets of callers', () => sockets.size)
  metrics.observedGauge('relay_subscriptions', 'Subscriptions of callers', () => {
    let all = 0
    for (const { subscriptions } of sockets) all += subscriptions
    return all
  })

  return {
    /** Returns null when the WebSocket was opened. */
    open(opening: Opening, facts: RequestFacts): NotOpened | null {
      if (isDraining || sockets.size >= settings.sockets) return { status: 503, error: noRoomForSockets }
      const { socketsPerKey } = settings
      if (countOf(opening.key.id) >= socketsPerKey)
        return { status: 429, error: tooManySockets(socketsPerKey) }
      const socket = new CallerSocket(opening, services, remove)
      sockets.add(socket)
      count(socket.keyId, 1)
      if (facts.upgrade(socket)) return null
      remove(socket)
      return { status: 400, error: noUpgrade }
    },

    /** Opens no more, and closes each once its messages in flight are answered, at the latest after `drainMs`. */
    async drain(): Promise<void> {
      isDraining = true
      clearInterval(timer)
      if (sockets.size === 0) return
      for (const socket of sockets) socket.drain()
      const late = setTimeout(() => {
        for (const socket of sockets) socket.closeNow()
        allGone.resolve()
      }, settings.drainMs)
      await allGone.promise
      clearTimeout(late)
    },
  }
}
