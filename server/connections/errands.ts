import type { Clock } from '../platform/clock.ts'
import type { EgressFetch } from '../platform/egress.ts'
import { untilAborted } from '../platform/egress/cutoff.ts'
import type { Log } from '../platform/log.ts'
import { type Downstream, openDownstream } from './downstream/downstream.ts'
import { DownstreamError } from './downstream/failure.ts'
import { createVerdicts } from './downstream/verdicts.ts'
import { anybody } from './find-route.ts'
import type { Trouble } from './outcomes.ts'
import { createBreaker } from './pool/breaker.ts'
import { type PoolKey, createPool } from './pool/pool.ts'
import { createTurnstile } from './pool/turnstile.ts'
import type { Route } from './route.ts'
import type { ConnectionSettings } from './settings.ts'
import { type Stage, statusAfter, troubleOf } from './trouble.ts'

export interface ErrandsOptions {
  readonly fetch: EgressFetch
  readonly clock: Clock
  readonly log: Log
  readonly settings: ConnectionSettings
}

/** Work with an open connection to the downstream of a route. */
export type Errand<T> = (downstream: Downstream) => Promise<T>

export type Errands = ReturnType<typeof createErrands>

/** Runs work on pooled connections: opens them, renews them once, and tells what went wrong in our own words. */
export function createErrands({ fetch, clock, log, settings }: ErrandsOptions) {
  const limits = settings.downstream
  const pool = createPool({ ...settings.open, idleMs: limits.idleMs }, clock)
  const breaker = createBreaker(clock)
  const turnstile = createTurnstile(settings.calls)
  const verdicts = createVerdicts(clock)
  const stopping = new AbortController()

  async function connect(route: Route): Promise<Downstream> {
    const { service, origin, key } = route
    const verdictKey = verdictKeyOf(key)
    const verdict = verdicts.find(verdictKey)
    try {
      const downstream = await openDownstream(
        { fetch, service, credential: route.credential(), limits, verdict },
        stopping.signal,
      )
      verdicts.remember(verdictKey, downstream.verdict)
      breaker.succeeded(origin)
      return downstream
    } catch (error) {
      verdicts.forget(verdictKey)
      if (isNetworkFailure(error)) breaker.failed(origin)
      throw error
    }
  }

  /** One attempt to connect serves all who wait for it; whoever gives up leaves it to the others. */
  function opened(route: Route, caller: AbortSignal): Promise<Downstream> | Trouble {
    const waitMs = breaker.openForMs(route.origin)
    if (waitMs !== null) return { outcome: 'busy', retryAfterSec: Math.ceil(waitMs / 1_000) }
    const connecting = pool.take(route.key, () => connect(route))
    if (connecting === 'busy') return { outcome: 'busy', retryAfterSec: 30 }
    return untilAborted(connecting, caller)
  }

  async function attempt<T>(downstream: Downstream, errand: Errand<T>): Promise<T> {
    pool.used(downstream)
    try {
      return await errand(downstream)
    } finally {
      pool.released(downstream)
    }
  }

  function told(error: unknown, route: Route, stage: Stage, caller: AbortSignal): Trouble {
    const trouble = troubleOf(error, route, stage, caller)
    if (trouble === null) throw error
    const status = statusAfter(trouble)
    if (status !== null) {
      void route.note(status)
      pool.discard(route.key)
    }
    if (error instanceof DownstreamError) {
      log.debug('downstream', {
        serviceId: route.service.serviceId,
        stage,
        outcome: trouble.outcome,
        why: error.detail,
      })
    }
    return trouble
  }

  async function run<T>(
    route: Route,
    caller: AbortSignal,
    stage: Stage,
    errand: Errand<T>,
  ): Promise<T | Trouble> {
    let reached: Stage = 'connecting'
    try {
      const found = pool.open(route.key) ?? opened(route, caller)
      if ('outcome' in found) return found
      const downstream = await found
      reached = stage
      try {
        return await attempt(downstream, errand)
      } catch (error) {
        if (!(error instanceof DownstreamError) || error.reason !== 'session_lost') throw error
        // Nothing was done yet: a new session, and once more.
        pool.discard(route.key)
        const again = opened(route, caller)
        if ('outcome' in again) return again
        return await attempt(await again, errand)
      }
    } catch (error) {
      return told(error, route, reached, caller)
    }
  }

  const enter = ({ key, origin }: Route): (() => void) | null =>
    turnstile.enter(key.principal === anybody ? null : key.principal, origin)

  return {
    /** Counted among the calls under way, from here to its end. */
    async run<T>(route: Route, caller: AbortSignal, stage: Stage, errand: Errand<T>): Promise<T | Trouble> {
      const leave = enter(route)
      if (leave === null) return { outcome: 'busy', retryAfterSec: 1 }
      try {
        return await run(route, caller, stage, errand)
      } finally {
        leave()
      }
    },
    /** Whether the downstream is known to be of the era in which servers keep nothing from one call to the next. */
    isStateless: ({ key }: Route): boolean => verdicts.find(verdictKeyOf(key))?.kind === 'modern',
    /** Null: there is too much under way. */
    enter,
    closeHolder: pool.closeHolder,
    openCount: pool.size,
    underWay: turnstile.size,
    stop() {
      stopping.abort(new DownstreamError('unreachable', 'stopping'))
      pool.stop()
    },
  }
}

const verdictKeyOf = ({ url, credentialVersion }: PoolKey): string => JSON.stringify([url, credentialVersion])

const isNetworkFailure = (error: unknown): boolean =>
  error instanceof DownstreamError && (error.reason === 'unreachable' || error.reason === 'timed_out')
