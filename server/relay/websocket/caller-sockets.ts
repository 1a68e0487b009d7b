import type { Metrics } from '../../platform/metrics.ts'
import type { RequestFacts } from '../../http/request-facts.ts'
import type { RpcError } from '../errors.ts'
import { CallerSocket, type CallerSocketWorld, type Opening } from './caller-socket.ts'
import { noRoomForSockets, noUpgrade, tooManySockets } from './socket-errors.ts'

/** Why no WebSocket was opened, as an HTTP answer. */
export interface NotOpened {
  readonly status: number
  readonly error: RpcError
}

export type CallerSockets = ReturnType<typeof createCallerSockets>

/** Each is looked at in one of so many steps, so that no step takes long. */
const recheckSteps = 10
/** Looks that wait for the database. */
const maxRechecking = 50

/** The WebSockets of all callers. */
export function createCallerSockets(world: CallerSocketWorld, metrics: Metrics) {
  const { settings } = world
  const sockets = new Set<CallerSocket>()
  const byKey = new Map<string, number>()
  let isLeaving = false
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
    if (toRecheck.length === 0) toRecheck = [...sockets]
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
    /** Null: it is open. */
    open(opening: Opening, facts: RequestFacts): NotOpened | null {
      if (isLeaving || sockets.size >= settings.sockets) return { status: 503, error: noRoomForSockets }
      const { socketsPerKey } = settings
      if (countOf(opening.key.id) >= socketsPerKey)
        return { status: 429, error: tooManySockets(socketsPerKey) }
      const socket = new CallerSocket(opening, world, remove)
      sockets.add(socket)
      count(socket.keyId, 1)
      if (facts.upgrade(socket)) return null
      remove(socket)
      return { status: 400, error: noUpgrade }
    },

    /** Closes them when what is under way is answered, and within a few seconds. */
    async leave(): Promise<void> {
      isLeaving = true
      clearInterval(timer)
      if (sockets.size === 0) return
      for (const socket of sockets) socket.leave()
      const late = setTimeout(() => {
        for (const socket of sockets) socket.closeNow()
        allGone.resolve()
      }, settings.leaveMs)
      await allGone.promise
      clearTimeout(late)
    },
  }
}
