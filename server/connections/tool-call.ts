import type { Clock } from '../platform/clock.ts'
import type { SentCallFailure, ToolSource } from './call-results.ts'
import type { Route } from './route.ts'
import type { Scope, ToolCallDoor } from './scope.ts'
import { createQuotedSecret } from './downstream/quoted-secret.ts'
import type { ByteCounts } from './downstream/exchanges.ts'

/** One call of a tool of a tool server. Every one of them passes `passToolCall`, whatever its door. */
export interface ToolCall {
  readonly door: ToolCallDoor
  /** The account; null for anonymous callers. */
  readonly accountId: string | null
  /** The API key or the grant of the caller; null for anonymous callers. */
  readonly keyId: string | null
  /** The gateway session; empty when there is none. */
  readonly sessionId: string
  readonly connection: ToolSource['connection']
  readonly service: Pick<Route['service'], 'serviceId' | 'name' | 'chain'>
  readonly tool: string
  readonly arguments: Readonly<Record<string, unknown>>
  /** Until when its owner has arguments and results kept, in epoch ms; null: not at all. */
  readonly contentKeptUntil: number | null
  /** Returns a value without the credential that is sent to the tool server. */
  withoutSecret(value: unknown): unknown
  /** Whether its definition says that the tool only reads, and is as it was accepted. May list the tools. */
  isReadOnly(): Promise<boolean>
}

/** A tool as it is listed. */
export type ListedToolCall = Pick<ToolCall, 'accountId' | 'keyId' | 'tool'> & ToolSource

/**
 * What became of a call. `ok`: a result; `tool_error`: a result with `isError`; `refused`: a JSON-RPC error; `denied`: not
 * sent, because a hook refused it; `unanswered`: its stream ended first; `failed`: our own error.
 */
export type ToolCallClass =
  | 'ok'
  | 'tool_error'
  | 'input_required'
  | 'refused'
  | 'denied'
  | 'unanswered'
  | 'failed'
  | SentCallFailure['outcome']

export interface FinishedToolCall {
  readonly class: ToolCallClass
  /** The time from the decision to the answer. */
  readonly ms: number
  /** The bytes of the request and of the answer as they were on the wire, without headers. */
  readonly bytesSent: number
  readonly bytesReceived: number
  /** The price; 0 for a call that was not sent. */
  readonly credits: number
  /** The rule that denied it, as its hook names it. */
  readonly deniedBy: string | null
  /** The result; null where there is none, or where it was passed on without being kept. */
  readonly result: Readonly<Record<string, unknown>> | null
}

export interface AdmittedToolCall {
  readonly admitted: true
  readonly credits: number
}

export interface DeniedToolCall {
  readonly admitted: false
  /** Names the rule, for records. */
  readonly rule: string
  /** Says to the caller which rule it was, and who can change it. */
  readonly message: string
  /** The seconds after which the same call would be admitted; null where no wait helps. */
  readonly retryAfterSec: number | null
}

export type ToolCallDecision = AdmittedToolCall | DeniedToolCall

/** What the composition root has done with each call. Absent hooks cost nothing. */
export interface ToolCallHooks {
  /** Decides before anything is sent. What it throws refuses the call. */
  admit?(call: ToolCall): ToolCallDecision | Promise<ToolCallDecision>
  /** Returns why calls of a listed tool are refused, whatever their arguments; null where they are not. */
  refusalOf?(call: ListedToolCall, isReadOnly: boolean): string | null
  /** Is told once what became of the call, a denied one included. Must not throw. */
  finished?(call: ToolCall, outcome: FinishedToolCall): void
}

export const toolCallOf = (
  scope: Scope,
  route: Route,
  door: ToolCallDoor,
  { name, arguments: args = {}, isReadOnly }: CalledTool,
): ToolCall => ({
  accountId: scope.accountId,
  keyId: scope.keyId ?? null,
  connection: toolSourceOf(route).connection,
  service: route.service,
  tool: name,
  door,
  sessionId: scope.sessionId,
  arguments: args,
  isReadOnly,
  contentKeptUntil: route.contentKeptUntil,
  withoutSecret(value) {
    const secret = route.credential()?.secret ?? route.bearer?.last() ?? null
    if (secret === null) return value
    return createQuotedSecret(secret, () => undefined)?.hiddenInAll(value) ?? value
  },
})

interface CalledTool extends Pick<ToolCall, 'isReadOnly'> {
  readonly name: string
  readonly arguments?: ToolCall['arguments']
}

export const toolSourceOf = ({ connectionId: id, kind, service: { serviceId } }: Route): ToolSource => ({
  connection: { id, kind },
  service: { serviceId },
})

/** A call that was admitted; whoever sends it says once how it ended. */
export interface BegunToolCall {
  readonly traffic: ByteCounts
  end(outcome: ToolCallClass, result?: FinishedToolCall['result']): void
}

export type BeginToolCall = ReturnType<typeof createBeginToolCall>

/** Asks the hooks about each call. A call begun is ended once; what comes later is not counted. */
export function createBeginToolCall(hooks: ToolCallHooks, clock: Pick<Clock, 'monotonic'>) {
  function begun(call: ToolCall, { credits }: AdmittedToolCall): BegunToolCall {
    const startedAt = clock.monotonic()
    const traffic: ByteCounts = { sent: 0, received: 0 }
    let isOver = false
    return {
      traffic,
      end(outcome, result = null) {
        if (isOver) return
        isOver = true
        hooks.finished?.(call, {
          class: outcome,
          ms: clock.monotonic() - startedAt,
          bytesSent: traffic.sent,
          bytesReceived: traffic.received,
          credits,
          deniedBy: null,
          result,
        })
      },
    }
  }

  function decided(call: ToolCall, admission: ToolCallDecision): BegunToolCall | DeniedToolCall {
    if (admission.admitted) return begun(call, admission)
    hooks.finished?.(call, { ...nothingSent, class: 'denied', deniedBy: admission.rule })
    return admission
  }

  /** A call that was denied before is not asked about, and is told all the same. */
  return (
    call: ToolCall,
    denied: DeniedToolCall | null = null,
  ): BegunToolCall | DeniedToolCall | Promise<BegunToolCall | DeniedToolCall> => {
    if (denied !== null) return decided(call, denied)
    const admission = hooks.admit?.(call) ?? free
    return admission instanceof Promise
      ? admission.then((known) => decided(call, known))
      : decided(call, admission)
  }
}

const free: AdmittedToolCall = { admitted: true, credits: 0 }

/** The facts of a call of which nothing was sent. */
export const nothingSent = { ms: 0, bytesSent: 0, bytesReceived: 0, credits: 0, result: null }
