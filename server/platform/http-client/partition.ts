import { randomBytes } from 'node:crypto'

import { rememberedOf } from '../remembered.ts'

/** Headers that are no credentials. Every other one may be: providers name theirs as they like. */
const harmless =
  /^(?:accept(?:-.*)?|baggage|connection|content-(?:length|type)|host|last-event-id|mcp-(?:method|name|param-.*|protocol-version)|range|traceparent|tracestate|user-agent)$/

/**
 * Names the requests that may share a connection: those to one path with the same credentials, whatever header or query
 * they stand in. A digest under a key that never leaves the process: it can be kept, and says nothing of what it names.
 */
export type PartitionOf = (path: string, headers: Headers, own: string) => string

export function createPartitions(): PartitionOf {
  const key = randomBytes(32)
  const digestOf = rememberedOf((headers: Headers, place: string) => {
    const named = [place]
    for (const [name, value] of headers) if (!harmless.test(name)) named.push(name, value)
    return new Bun.CryptoHasher('sha256', key).update(JSON.stringify(named)).digest('base64url')
  })
  return (path, headers, own) => digestOf(headers, JSON.stringify([path, own]))
}
