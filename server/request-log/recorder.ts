import {
  type LoggedRequest,
  type RequestEntry,
  requestClasses,
  requestLogBounds,
  type RequestGroup,
  type FinishedRequest,
} from '../../shared/request-log.ts'

import { Sampler } from '../platform/sampler.ts'
import { keptParams } from './kept-params.ts'

/** Requests of one account that wait to be written. */
export interface Batch {
  readonly accountId: string
  readonly answers: LoggedRequest[]
  readonly failures: LoggedRequest[]
}

/** Takes requests on the path of a call, and holds those that are kept until they are written. */
export interface RequestRecorder {
  add(request: FinishedRequest): void
  /** Returns what was kept since the last time. */
  take(): Batch[]
  /** Notes requests that were kept but could not be written. */
  lose(accountId: string, requests: number): void
  /** Drops what is known of accounts that did not call for a while. */
  forgetIdle(before: number): void
}

export interface RequestRecorderOptions {
  readonly now: () => number
  /** Begins the ids of this process; eight characters. */
  readonly run: string
  /** The most requests in memory. */
  readonly mostWaiting: number
}

interface AccountState {
  readonly accountId: string
  readonly samplers: Readonly<Record<RequestGroup | 'error' | 'mended', Sampler>>
  answers: LoggedRequest[]
  failures: LoggedRequest[]
  lost: number
  isWaiting: boolean
  usedAt: number
}

export function createRequestRecorder({ now, run, mostWaiting }: RequestRecorderOptions): RequestRecorder {
  const accounts = new Map<string, AccountState>()
  let waiting: AccountState[] = []
  let count = 0
  let sequence = 0

  function stateOf(accountId: string): AccountState {
    const known = accounts.get(accountId)
    if (known !== undefined) return known
    const state = newState(accountId)
    accounts.set(accountId, state)
    return state
  }

  function enqueue(state: AccountState): void {
    if (state.isWaiting) return
    state.isWaiting = true
    waiting.push(state)
  }

  const nextId = (): string => `${run}-${(sequence++).toString(36).padStart(8, '0')}`

  return {
    add(request) {
      const at = Math.floor(now())
      const state = stateOf(request.key.accountId)
      state.usedAt = at
      const group = requestClasses[request.class]
      const weight = state.samplers[kindOf(request, group)].weightAt(at)
      if (weight === 0) return
      enqueue(state)
      if (count >= mostWaiting) {
        state.lost += weight
        return
      }
      count++
      const into = group === 'answered' ? state.answers : state.failures
      into.push(entryOf(request, { id: nextId(), at, weight }))
    },
    take() {
      const taken = waiting
      waiting = []
      count = 0
      const at = Math.floor(now())
      return taken.map((state) => {
        const { accountId, answers, failures, lost } = state
        if (lost > 0) failures.push({ id: nextId(), at, notKept: lost })
        Object.assign(state, { answers: [], failures: [], lost: 0, isWaiting: false })
        return { accountId, answers, failures }
      })
    },
    lose(accountId, requests) {
      const state = stateOf(accountId)
      state.lost += requests
      enqueue(state)
    },
    forgetIdle(before) {
      for (const [accountId, { usedAt, isWaiting }] of accounts)
        if (usedAt < before && !isWaiting) accounts.delete(accountId)
    },
  }
}

/** Whoever looks for a cause looks for these: many plain answers must not hide them. */
function kindOf(
  { class: name, attempts }: FinishedRequest,
  group: RequestGroup,
): keyof AccountState['samplers'] {
  if (name === 'error') return 'error'
  return group === 'answered' && attempts.length > 1 ? 'mended' : group
}

const samplerOf = (group: RequestGroup): Sampler =>
  new Sampler(requestLogBounds.wholePerSecond[group], requestLogBounds.oneIn)

const newState = (accountId: string): AccountState => ({
  accountId,
  samplers: {
    answered: samplerOf('answered'),
    error: samplerOf('answered'),
    mended: samplerOf('answered'),
    failed: samplerOf('failed'),
    refused: samplerOf('refused'),
  },
  answers: [],
  failures: [],
  lost: 0,
  isWaiting: false,
  usedAt: 0,
})

const longestMethod = 128

function entryOf(
  {
    key,
    method,
    calls,
    class: name,
    status,
    startedAt,
    tookMs,
    attempts,
    bytesIn,
    bytesOut,
    credits,
    requestId,
    entries,
  }: FinishedRequest,
  { id, at, weight }: Pick<RequestEntry, 'id' | 'at' | 'weight'>,
): RequestEntry {
  return {
    id,
    at,
    keyId: key.id,
    endpoint: key.endpoint,
    method: method === null ? null : method.slice(0, longestMethod),
    calls,
    class: name,
    status,
    ms: hundredths(tookMs),
    attempts: attempts.map((attempt) => ({
      upstream: attempt.upstream,
      class: attempt.class,
      ms: hundredths(attempt.ms),
      from: hundredths(Math.max(0, attempt.startedAt - startedAt)),
      ...(attempt.isShared === true && { isShared: true as const }),
    })),
    bytesIn,
    bytesOut,
    credits,
    requestId,
    weight,
    ...(key.debugEndsAt !== null && at < key.debugEndsAt && { params: keptParams(entries) }),
  }
}

const hundredths = (ms: number): number => Math.round(ms * 100) / 100
