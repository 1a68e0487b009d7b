import { createHash } from 'node:crypto'

import {
  type ToolCallEntry,
  toolCallBounds,
  type ToolCallGroup,
  toolCallGroups,
  toolCallOutcomes,
} from '../../shared/tool-calls.ts'
import type { FinishedToolCall, ToolCall } from '../connections/connections.ts'
import { Sampler } from '../platform/sampler.ts'
import { accountIdOf, keyIdOf, serverIdOf } from './call-counter.ts'
import type { KeptContent } from './kept-content.ts'

/** A call that is to be written. */
export type RecordedCall = Omit<ToolCallEntry, 'hasContent'> & { readonly content: KeptContent | null }

/** Holds single calls until they are written. */
export interface CallRecorder {
  /** Notes a call, unless there are too many of its kind. `contentOf` is called only for those that are kept. */
  add(call: ToolCall, outcome: FinishedToolCall, contentOf: () => KeptContent | null): void
  /** Returns what waits, at most `limit`, the oldest first. */
  take(limit: number): readonly RecordedCall[]
  /** Puts back what could not be written. */
  putBack(calls: readonly RecordedCall[]): void
  size(): number
  /** Drops what is known of accounts that did not call for a while. */
  forgetIdle(before: number): void
}

interface CallRecorderOptions {
  readonly now: () => number
  /** Begins the ids of this process. */
  readonly run: string
  /** The most calls in memory. */
  readonly mostWaiting: number
  /** Is told of calls that were not kept because too many wait. */
  readonly lost: (calls: number) => void
}

interface AccountSamplers {
  readonly of: Readonly<Record<ToolCallGroup, Sampler>>
  usedAt: number
}

export function createCallRecorder({ now, run, mostWaiting, lost }: CallRecorderOptions): CallRecorder {
  const accounts = new Map<string, AccountSamplers>()
  let waiting: RecordedCall[] = []
  let sequence = 0

  function weightOf(accountId: string, group: ToolCallGroup, at: number): number {
    const samplers = accounts.get(accountId) ?? { of: newSamplers(), usedAt: at }
    samplers.usedAt = at
    accounts.set(accountId, samplers)
    return samplers.of[group].weightAt(at)
  }

  return {
    add(call, outcome, contentOf) {
      const at = Math.floor(now())
      const weight = weightOf(accountIdOf(call), toolCallOutcomes[outcome.class], at)
      if (weight === 0) return
      if (waiting.length >= mostWaiting) return lost(weight)
      const id = `${run}-${(sequence++).toString(36).padStart(8, '0')}`
      waiting.push({ ...factsOf(call, outcome), id, at, weight, content: contentOf() })
    },
    take(limit) {
      const taken = waiting.slice(0, limit)
      waiting = waiting.slice(limit)
      return taken
    },
    putBack(calls) {
      const room = Math.max(0, mostWaiting - waiting.length)
      if (calls.length > room) lost(calls.slice(room).reduce((sum, { weight }) => sum + weight, 0))
      waiting = [...calls.slice(0, room), ...waiting]
    },
    size: () => waiting.length,
    forgetIdle(before) {
      for (const [accountId, { usedAt }] of accounts) if (usedAt < before) accounts.delete(accountId)
    },
  }
}

function newSamplers(): AccountSamplers['of'] {
  const { wholePerSecond, oneIn } = toolCallBounds
  const [answered, toolError, failed, denied] = toolCallGroups.map(() => new Sampler(wholePerSecond, oneIn))
  if (answered === undefined || toolError === undefined || failed === undefined || denied === undefined)
    throw new TypeError('a group without a sampler')
  return { answered, tool_error: toolError, failed, denied }
}

const factsOf = (call: ToolCall, outcome: FinishedToolCall) => ({
  accountId: accountIdOf(call),
  keyId: keyIdOf(call),
  session: call.sessionId === '' ? '' : labelOfSession(call.sessionId),
  server: serverIdOf(call),
  serverName: storable(call.service.name),
  chain: call.service.chain,
  connectionId: call.connection.id,
  tool: storable(call.tool),
  door: call.door,
  outcome: outcome.class,
  deniedBy: outcome.deniedBy === null ? null : storable(outcome.deniedBy),
  ms: Math.round(outcome.ms * 100) / 100,
  bytesSent: outcome.bytesSent,
  bytesReceived: outcome.bytesReceived,
  credits: outcome.credits,
})

const longestName = 128

/** A text of a caller or a tool server without what a database or a terminal would stumble over. */
const storable = (text: string): string =>
  text.slice(0, longestName).toWellFormed().replaceAll(/\p{C}/gu, '�')

/** With an anonymous session's id others could use it, so only a digest is kept. */
const labelOfSession = (id: string): string => createHash('sha256').update(id).digest('hex').slice(0, 12)
