import type { UpstreamClient } from '../upstreams/upstream-client.ts'

/**
 * Nodes that have answered calls with errors of their own, until another node has answered the same calls. Where none can, it
 * is the calls that nodes fail at: whoever sends them must not have circuit breakers opened for others.
 */
export class AccusedNodes {
  readonly #byCalls = new WeakMap<object, UpstreamClient[]>()

  /** The calls are those of one request, the same object at each attempt. */
  add(calls: object, client: UpstreamClient): void {
    const known = this.#byCalls.get(calls)
    if (known === undefined) this.#byCalls.set(calls, [client])
    else known.push(client)
  }

  /** Another node has answered these calls. */
  convict(calls: object, now: number): void {
    for (const { circuitBreaker } of this.#byCalls.get(calls) ?? []) circuitBreaker.fail(now)
    this.#byCalls.delete(calls)
  }
}
