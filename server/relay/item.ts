import { errorAnswer, errorCodes, errorText } from './errors.ts'
import type { MethodFacts } from './methods/method-facts.ts'
import type { CallOutcome, MeteredCall } from './parties.ts'
import type { Call, NoCall } from './request/call.ts'

/** One call of a request on its way through the relay. */
export class Item implements MeteredCall {
  /** JSON text; null: a notification. */
  readonly id: string | null
  readonly method: string
  readonly params: string
  readonly facts: MethodFacts
  outcome: CallOutcome = 'unanswered'
  /** JSON text of the whole answer. */
  answer = ''

  constructor({ id, method, params }: Call, facts: MethodFacts) {
    this.id = id
    this.method = method
    this.params = params
    this.facts = facts
  }

  get credits(): number {
    return this.facts.credits
  }

  /** What of the credits is given back. */
  get creditsBack(): number {
    return this.outcome === 'unanswered' ? this.facts.credits : 0
  }

  /** What makes two calls the same question. */
  get question(): string {
    return `${this.method}\n${this.params}`
  }

  /** What is sent upstream, with an id of ours. */
  requestAs(id: string): string {
    const params = this.params === '' ? '' : `,"params":${this.params}`
    return `{"jsonrpc":"2.0","id":${id},"method":"${this.method}"${params}}`
  }

  /** `result`: JSON text. */
  takeResult(result: string): void {
    this.outcome = 'ok'
    this.answer = `{"jsonrpc":"2.0","id":${this.id ?? 'null'},"result":${result}}`
  }

  /** `error`: JSON text. */
  takeError(error: string): void {
    this.outcome = 'error'
    this.answer = errorAnswer(this.id ?? 'null', error)
  }

  /** `error`: JSON text. */
  refuse(error: string): void {
    this.answer = errorAnswer(this.id ?? 'null', error)
  }
}

/** An element that is answered without being a call of its own: it costs nothing. */
export interface Refused {
  readonly id: string | null
  readonly answer: string
  /** It is no call at all, in place of one that is not offered. */
  readonly isMistake: boolean
}

export const refusedNoCall = ({ id, why }: NoCall): Refused => ({
  id,
  isMistake: true,
  answer: errorAnswer(id, errorText({ code: errorCodes.noRequest, message: why })),
})

export const refusedMethod = ({ id, method }: Call): Refused => ({
  id,
  isMistake: false,
  answer: errorAnswer(
    id ?? 'null',
    errorText({
      code: errorCodes.noMethod,
      message: `this endpoint does not offer the method ${method}`,
      reason: 'method_not_offered',
    }),
  ),
})
