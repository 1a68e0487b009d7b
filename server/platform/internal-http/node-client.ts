import type { Clock } from '../clock.ts'
import { openBody } from '../egress/body.ts'
import { createCheckedAddresses, systemResolve } from '../egress/checked-addresses.ts'
import { type Cutoff, createCutoffs } from '../egress/cutoff.ts'
import { EgressError, notConnected, toEgressError } from '../egress/failure.ts'
import type { Received } from '../egress/received.ts'
import { parseTarget } from '../egress/target.ts'
import { createHttpClient } from '../http-client/http-client.ts'
import { NodeError, type NodeFailure } from './node-error.ts'
import { sealHeader } from './node-listener.ts'
import type { AnnouncedNode, NodeRegistry } from './node-registry.ts'
import type { RequestSeal, SealedRequest } from './sealed-request.ts'
import { type Pieces, openResponse } from './sealed-response.ts'

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
   * tells the node. Rejects with a NodeError; a body that breaks off or is not what the node sealed fails. Nothing is sent
   * twice.
   */
  send(nodeId: string, request: NodeRequest): Promise<Response>
  close(): void
}

interface NodeClientOptions {
  readonly nodeId: string
  readonly clock: Clock
  readonly seal: RequestSeal
  readonly registry: Pick<NodeRegistry, 'others' | 'refresh' | 'databaseTime'>
}

const rules = { schemes: ['http'], ports: undefined } as const
const resolveMs = 2_000
/** Internal addresses are private by nature, and nobody but this installation chose them. */
const mayReach = (): boolean => true

export function createNodeClient({ nodeId, clock, seal, registry }: NodeClientOptions): NodeClient {
  const cutoffs = createCutoffs()
  const client = createHttpClient(clock)
  const addresses = createCheckedAddresses({ resolve: systemResolve, mayReach, clock, timeoutMs: resolveMs })
  let sent = 0

  const announced = (id: string): AnnouncedNode | undefined =>
    registry.others().find((node) => node.id === id)

  async function announcedSince(id: string): Promise<AnnouncedNode | undefined> {
    await registry.refresh()
    return announced(id)
  }

  function sealed(to: string, path: string, body: NodeRequest['body']): SealedRequest {
    const time = registry.databaseTime()
    if (time === null) throw new NodeError('gone')
    sent += 1
    const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : body
    return seal.seal({ method: 'POST', path, from: nodeId, to, time, number: sent }, bytes)
  }

  async function exchange(to: AnnouncedNode, { path, body: plain }: NodeRequest, cutoff: Cutoff) {
    const target = parseTarget(to.url, rules)
    const dialled = { addresses: await addresses.of(target, cutoff), port: target.port, tls: null }
    const { header, body, responseKey } = sealed(to.id, path, plain)
    const headers = new Headers({ host: target.hostHeader, [sealHeader]: header })
    const received = await client.send(
      { ...dialled, path, partition: '' },
      { method: 'POST', headers, body },
      cutoff,
    )
    // A node answers 200 to whatever it takes; a proxy between may have passed the request on before it failed.
    if (received.status !== 200) throw new NodeError(received.status < 500 ? 'refused' : 'broken')
    return await openResponse(responseKey, piecesOf(received, cutoff))
  }

  return {
    async send(id, request) {
      const to = announced(id) ?? (await announcedSince(id))
      if (to === undefined) throw new NodeError('gone')
      const cutoff = cutoffs.open(request.headMs, request.signal)
      try {
        const response = await exchange(to, request, cutoff)
        cutoff.lift()
        return response
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

/** The body of a response; the cutoff lives until it has ended. */
function piecesOf(received: Received, cutoff: Cutoff): Pieces {
  const body = openBody(received, Number.POSITIVE_INFINITY)
  return {
    async next() {
      try {
        const piece = await body.next()
        if (piece === null) cutoff.release()
        return piece
      } catch (error) {
        const failure = cutoff.fail(error)
        cutoff.release()
        throw failure
      }
    },
    async drop() {
      cutoff.fail(new EgressError('ABORTED'))
      cutoff.release()
      await body.drop()
    },
  }
}

/** A connection that was reset may have carried the request before. */
function failureOf(error: unknown): NodeFailure {
  const { code, reason } = toEgressError(error)
  if (code === 'ABORTED') return 'aborted'
  if (code === 'DNS' || code === 'DNS_TIMEOUT' || reason === notConnected) return 'unreachable'
  return code === 'CONNECT' && reason !== 'ECONNRESET' ? 'unreachable' : 'broken'
}
