import { isIP } from 'node:net'

import type { Clock } from '../clock.ts'
import { openBody } from '../egress/body.ts'
import { systemResolve } from '../egress/checked-addresses.ts'
import { type Cutoff, createCutoffs } from '../egress/cutoff.ts'
import { toEgressError } from '../egress/failure.ts'
import { streamResponse } from '../egress/stream-response.ts'
import { createHttpClient } from '../http-client/http-client.ts'
import { proofHeader, internalSignatureHeader } from './node-listener.ts'
import type { AnnouncedNode, NodeRegistry } from './node-registry.ts'
import { type RequestSigner, hashOfBody } from './signature.ts'

/**
 * `gone`: no living node has this id. `unreachable`: its address cannot be connected to. `refused`: whoever answers there
 * is not that node. In these cases the node has received nothing. `broken`: it may have received the request; `aborted`
 * likewise, by the caller's signal.
 */
export type NodeFailure = 'gone' | 'unreachable' | 'refused' | 'broken' | 'aborted'

export class NodeError extends Error {
  override readonly name = 'NodeError'
  readonly failure: NodeFailure

  constructor(failure: NodeFailure, cause?: unknown) {
    super(`a process of this installation was not reached: ${failure}`, { cause })
    this.failure = failure
  }
}

export interface NodeRequest {
  /** Without a query. */
  readonly path: string
  readonly body: string | Uint8Array<ArrayBuffer>
  /** The time until the head of the response, which its handler makes as soon as it has anything to say. */
  readonly headMs: number
  readonly signal?: AbortSignal
}

export interface NodeClient {
  /**
   * Resolves to the response of a node when its head has arrived; the body comes as fast as it is read, and to cancel it
   * tells the node. Rejects with a NodeError; a body that breaks off fails with an EgressError. Nothing is sent twice.
   */
  send(nodeId: string, request: NodeRequest): Promise<Response>
  close(): void
}

interface NodeClientOptions {
  readonly nodeId: string
  readonly clock: Clock
  readonly signer: RequestSigner
  readonly registry: Pick<NodeRegistry, 'others' | 'databaseTime'>
}

export function createNodeClient({ nodeId, clock, signer, registry }: NodeClientOptions): NodeClient {
  const cutoffs = createCutoffs()
  const client = createHttpClient(clock)
  let sent = 0

  function signatureFor(to: string, path: string, body: Uint8Array): string {
    const time = registry.databaseTime()
    if (time === null) throw new NodeError('gone')
    sent += 1
    return signer.sign({
      method: 'POST',
      path,
      from: nodeId,
      to,
      time,
      number: sent,
      bodyHash: hashOfBody(body),
    })
  }

  async function exchange(to: AnnouncedNode, { path, body: given }: NodeRequest, cutoff: Cutoff) {
    const { hostname, host, port } = new URL(to.url)
    const addresses = await addressesOf(hostname)
    const body = typeof given === 'string' ? new TextEncoder().encode(given) : given
    const signature = signatureFor(to.id, path, body)
    const headers = new Headers({ host, [internalSignatureHeader]: signature })
    const target = { addresses, port: Number(port || '80'), tls: null, path, partition: '' }
    const received = await client.send(target, { method: 'POST', headers, body }, cutoff)
    if (signer.isProof(signature, received.headers.get(proofHeader))) return received
    received.distrust()
    throw new NodeError('refused')
  }

  return {
    async send(id, request) {
      const to = registry.others().find((node) => node.id === id)
      if (to === undefined) throw new NodeError('gone')
      const cutoff = cutoffs.open(request.headMs, request.signal)
      try {
        const received = await exchange(to, request, cutoff)
        cutoff.lift()
        return streamResponse(received, openBody(received, Number.POSITIVE_INFINITY), cutoff)
      } catch (error) {
        cutoff.fail(error)
        cutoff.release()
        throw error instanceof NodeError ? error : new NodeError(failureOf(error), error)
      }
    },
    close() {
      cutoffs.close()
      client.close()
    },
  }
}

async function addressesOf(hostname: string): Promise<string[]> {
  const bare = hostname.replace(/^\[|\]$/g, '')
  if (isIP(bare) !== 0) return [bare]
  try {
    return [...(await systemResolve(bare))]
  } catch (error) {
    throw new NodeError('unreachable', error)
  }
}

/** A connection that was reset may have carried the request before. */
function failureOf(error: unknown): NodeFailure {
  const { code, reason } = toEgressError(error)
  if (code === 'ABORTED') return 'aborted'
  return code === 'CONNECT' && reason !== 'ECONNRESET' ? 'unreachable' : 'broken'
}
