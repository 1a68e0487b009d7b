import type { MethodFacts } from '../methods/method-facts.ts'
import { RpcCall } from '../rpc-call.ts'

/** A call that the relay itself makes to learn something for the answer to a caller. It is neither metered nor charged. */
export class OwnCall extends RpcCall {
  /** The JSON text of the result; null without one. */
  result: string | null = null
  /** The JSON text of the error object; null without one. */
  error: string | null = null
  /** Why the relay has no answer, the JSON text of an error object; empty when it has one. */
  rejection = ''

  constructor(method: string, params: string, facts: MethodFacts) {
    super({ kind: 'call', isLegacy: false, id: '1', method, params }, facts)
  }

  override setResult(result: string): void {
    this.result = result
    super.setResult(result)
  }

  override setError(error: string): void {
    this.error = error
    super.setError(error)
  }

  override reject(error: string): void {
    this.rejection = error
    super.reject(error)
  }
}
