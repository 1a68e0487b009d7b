import type { PriorDiscovery } from '@modelcontextprotocol/client'

import { DownstreamError, httpStatusOf } from './downstream/failure.ts'
import { type Stage, callFailureOf, ownErrorIn, statusAfterFailure } from './call-failure.ts'
import type { SentCallFailure } from './call-results.ts'
import type { Route } from './route.ts'
import type { Clock } from '../platform/clock.ts'
import type { EgressFetch } from '../platform/egress.ts'
import { untilAborted } from '../platform/deadline.ts'
import type { Log } from '../platform/log.ts'
import { type Downstream, openDownstream } from './downstream/downstream.ts'
import { isAccount, unidentifiedCallers } from './find-route.ts'
import type { ChallengedServers } from './known-servers.ts'
import { createFailureNotices } from './failure-notices.ts'
import { createOriginBreakers } from './pool/origin-breakers.ts'
import { type PoolKey, createPool } from './pool/pool.ts'
import { type Bulkhead, type BulkheadLimits, createBulkhead } from '../platform/bulkhead.ts'
import type { ConnectionSettings } from './settings.ts'
import { RecentMap } from '../platform/recent-map.ts'

export interface DownstreamCallsOptions {
  readonly fetch: EgressFetch
  readonly clock: Clock
  readonly log: Log
  readonly settings: ConnectionSettings
  readonly challenged: Pick<ChallengedServers, 'note'>
}

/** The work of one downstream call, run with an open connection. */
export type DownstreamCall<T> = (downstream: Downstream) => Promise<T>

/** How far a call came, and the connection that it used last; null while there is none. */
interface Reached {
  readonly stage: Stage
  readonly used: Downstream | null
}

type RunDownstreamCall = <T>(
  route: Route,
  caller: AbortSignal,
  stage: Stage,
  call: DownstreamCall<T>,
) => Promise<T | SentCallFailure>

export type DownstreamCalls = ReturnType<typeof createDownstreamCalls>

/**
 * Runs downstream calls on pooled connections: opens a connection, reopens it once when its session is lost, and
 * translates failures.
 */
export function createDownstreamCalls({ fetch, clock, log, settings, challenged }: DownstreamCallsOptions) {
  const limits = settings.downstream
  const pool = createPool({ ...settings.open, idleMs: limits.idleMs }, clock)
  const breakers = createOriginBreakers(clock)
  const calls = createBulkhead(settings.calls)
  const messages = createBulkhead(roomForMessages(settings.calls))
  const streams = createBulkhead(settings.streams)
  const protocolSupports = createProtocolSupportCache(clock)
  const notices = createFailureNotices(log, clock)
  const stopping = new AbortController()

  async function connect(route: Route): Promise<Downstream> {
    const server = serverKeyOf(route.key)
    const protocolSupport = protocolSupports.find(server)
    try {
      const onSecretQuoted = () => notices.secretQuoted(route)
      const sent = { fetch, ...whatIsSentTo(route), limits, protocolSupport, onSecretQuoted }
      const downstream = await openDownstream(sent, stopping.signal)
      protocolSupports.remember(server, downstream.protocolSupport)
      breakers.succeeded(breakerOf(route))
      return downstream
    } catch (error) {
      protocolSupports.forget(server)
      // Another server may be at this address now: it is asked which versions it supports.
      if (protocolSupport !== null && isAnswered(error)) return connect(route)
      if (isSilence(error)) breakers.failed(breakerOf(route))
      else if (isAnswered(error)) breakers.succeeded(breakerOf(route))
      throw error
    }
  }

  /**
   * Returns the connection of a route. One attempt to connect serves all who wait; a caller who gives up
   * leaves it to the others.
   */
  function opened(route: Route, caller: AbortSignal): Promise<Downstream> | SentCallFailure {
    const waitMs = breakers.openForMs(breakerOf(route))
    if (waitMs !== null) return { outcome: 'busy', retryAfterSec: Math.ceil(waitMs / 1_000), isFailing: true }
    const connecting = pool.take(route.key, () => connect(route))
    if (connecting === 'busy') return { outcome: 'busy', retryAfterSec: 30 }
    return untilAborted(connecting, caller)
  }

  function attempt<T>(downstream: Downstream, call: DownstreamCall<T>): Promise<T> {
    pool.used(downstream)
    return call(downstream).finally(() => pool.released(downstream))
  }

  async function failureOf(error: unknown, route: Route, { stage, used }: Reached, caller: AbortSignal) {
    const failure = callFailureOf(error, route, stage, caller)
    if (failure === null) throw ownErrorIn(error)
    const status = statusAfterFailure(failure)
    if (status === 'auth_required' && route.authSource === 'none') challenged.note(route.service)
    if (used !== null && isOver(failure) && !isOfOneRequest(error)) pool.retire(route.key, used)
    if (error instanceof DownstreamError) notices.failed(route, failure, error, stage)
    // The next call of the same caller, at whichever process, is told of the connection as it is now.
    if (status !== null) await route.recordStatus(status)
    return failure
  }

  const runUncounted: RunDownstreamCall = async (route, caller, stage, call) => {
    let reached: Reached = { stage: 'connecting', used: null }
    try {
      const found = await (pool.open(route.key) ?? opened(route, caller))
      if ('outcome' in found) return found
      reached = { stage, used: found }
      try {
        return await attempt(found, call)
      } catch (error) {
        if (!(error instanceof DownstreamError) || error.reason !== 'session_lost') throw error
        // Nothing was done yet: a new session, and once more.
        pool.retire(route.key, found)
        protocolSupports.forget(serverKeyOf(route.key))
        const again = await opened(route, caller)
        if ('outcome' in again) return again
        reached = { stage, used: again }
        return await attempt(again, call)
      }
    } catch (error) {
      return await failureOf(error, route, reached, caller)
    }
  }

  /** Runs a call and counts it as in progress until it ends. */
  const run: RunDownstreamCall = async (route, caller, stage, call) => {
    const leave = roomIn(calls, route)
    if (leave === null) return { outcome: 'busy', retryAfterSec: 1 }
    try {
      return await runUncounted(route, caller, stage, call)
    } finally {
      leave()
    }
  }

  return {
    run,
    /**
     * Returns true when the tool server is known to speak the stateless protocol, in which servers keep
     * nothing between calls.
     */
    isStateless: ({ key }: Route): boolean => protocolSupports.find(serverKeyOf(key))?.kind === 'modern',
    /** Reserves room for one call and returns what releases it, or null when too many are in progress. */
    enter: (route: Route) => roomIn(calls, route),
    /**
     * Reserves room for a message that asks for nothing, such as the answer that a call in progress waits for. It has
     * room of its own, because calls that wait would otherwise keep out what they wait for.
     */
    enterMessage: (route: Route) => roomIn(messages, route),
    /** Reserves room for a stream that answers no call: clients that merely listen keep no call out. */
    enterStream: (route: Route) => roomIn(streams, route),
    secretQuoted: notices.secretQuoted,
    closeHolder: pool.closeHolder,
    openCount: pool.size,
    underWay: () => calls.size() + messages.size() + streams.size(),
    stop() {
      stopping.abort(new DownstreamError('unreachable', 'stopping'))
      pool.stop()
    },
  }
}

const whatIsSentTo = (route: Route) => ({
  service: route.service,
  credential: route.credential(),
  bearer: route.bearer,
  showsSecrets: route.use.showsSecrets,
  askable: route.key.askable === undefined ? {} : JSON.parse(route.key.askable),
})

/** A call may ask again while the answer to its last question, or to several at once, is still on its way. */
const messagesPerCall = 4

const roomForMessages = ({ total, perPrincipal, perOrigin }: BulkheadLimits): BulkheadLimits => ({
  total: total * messagesPerCall,
  perPrincipal: perPrincipal * messagesPerCall,
  perOrigin: perOrigin * messagesPerCall,
})

function roomIn(bulkhead: Bulkhead, { key: { principal }, origin }: Route): (() => void) | null {
  const owner = {
    principal: principal === unidentifiedCallers ? null : principal,
    isAnonymous: !isAccount(principal),
  }
  return bulkhead.enter(owner, origin)
}

/**
 * Names the breaker of a route: one for each address and class of callers. Callers without a key never shut accounts out
 * of a tool server, whatever they make fail.
 */
const breakerOf = ({ service: { url }, key: { principal } }: Route): string =>
  `${isAccount(principal) ? 'account' : 'anonymous'} ${url}`

const serverKeyOf = ({ url, credentialVersion }: PoolKey): string => `${url}\0${credentialVersion}`

/** The statuses with which a proxy says that the server behind it does not answer. */
const statusesOfSilence: ReadonlySet<number | null> = new Set([null, 502, 503, 504])

/**
 * Returns whether nothing answered. Any other status is an answer, often to one account alone (its quota, its secret),
 * and keeps no other account out.
 */
const isSilence = (error: unknown): boolean =>
  error instanceof DownstreamError &&
  (error.reason === 'timed_out' ||
    (error.reason === 'unreachable' && statusesOfSilence.has(httpStatusOf(error))))

/** Returns whether the next call needs another connection, unless the failure is of one request. */
const isOver = (failure: SentCallFailure): boolean =>
  statusAfterFailure(failure) !== null ||
  (failure.outcome === 'consent_needed' && failure.why === 'consent_needed')

/** The statuses of a server that is there and knows the session, and refuses one request: by rights, quota or load. */
const statusesOfOneRequest: ReadonlySet<number | null> = new Set([429, 503])

/**
 * Returns whether a failure says nothing about the connection. Any other status may come from a server that was started
 * anew and does not say so; a new connection then helps.
 */
const isOfOneRequest = (error: unknown): boolean =>
  error instanceof DownstreamError &&
  (statusesOfOneRequest.has(httpStatusOf(error)) ||
    (error.reason === 'unauthorized' && error.detail === '403'))

const answeredReasons: ReadonlySet<unknown> = new Set(['not_mcp', 'protocol_error'])

const isAnswered = (error: unknown): boolean =>
  error instanceof DownstreamError && (httpStatusOf(error) !== null || answeredReasons.has(error.reason))

/** Caches which protocol versions tool servers support, so that not every connection has to ask. */
interface ProtocolSupportCache {
  find(key: string): PriorDiscovery | null
  remember(key: string, protocolSupport: PriorDiscovery): void
  forget(key: string): void
}

/**
 * The lifetime of an entry. A server that learns a newer version still answers in the older one, so an entry without
 * an end would never notice.
 */
const validMs = 24 * 3_600_000
const maxEntries = 2_000

function createProtocolSupportCache(clock: Pick<Clock, 'monotonic'>): ProtocolSupportCache {
  const entries = new RecentMap<string, { readonly protocolSupport: PriorDiscovery; readonly at: number }>(
    maxEntries,
  )

  return {
    find(key) {
      const known = entries.get(key)
      if (known === undefined || clock.monotonic() - known.at >= validMs) return null
      return known.protocolSupport
    },
    remember(key, protocolSupport) {
      entries.set(key, { protocolSupport, at: clock.monotonic() })
    },
    forget(key) {
      entries.delete(key)
    },
  }
}
