import { sendableHeaders } from '../../platform/http-client/sendable-headers.ts'

/**
 * The headers of REST calls that are passed on. Both lists name what APIs of nodes need; everything else stays here:
 * credentials, cookies, what is about a connection, and what would let a node's answer act as a page of ours.
 */

/** Beacon: `Eth-Consensus-Version` of SSZ bodies; streams of events: the last one that was received; Cosmos: the height that is asked about. */
export const passedOn: readonly string[] = [
  'accept',
  'content-type',
  'eth-consensus-version',
  'last-event-id',
  'x-cosmos-block-height',
]

/** Beacon: `Eth-*`; Cosmos: the height of the answer; Aptos: ledger state and cursor; Stellar: the newest ledger. */
const passedBack =
  /^(?:eth-[a-z-]+|grpc-metadata-x-cosmos-block-height|x-aptos-[a-z-]+|latest-ledger|last-modified)$/

/** `type/subtype` with parameters (RFC 9110, section 8.3.1). */
const mediaType = /^[\w.+-]+\/[\w.+-]+(?: *; *[\w-]+=(?:[\w.+-]+|"[\w .+-]*"))*$/

/** Returns the headers of a request that go to a node, with those that its operator configured. */
export function headersToNode(
  asked: Headers,
  ofNode: Readonly<Record<string, string>>,
): Record<string, string> {
  const headers: Record<string, string> = { accept: 'application/json' }
  for (const name of passedOn) {
    const value = asked.get(name)
    if (value !== null) headers[name] = value
  }
  return { ...headers, ...sendableHeaders(ofNode) }
}

/** Returns the headers of a node's answer that go to a caller. */
export function restHeadersToCaller(answered: Headers): Record<string, string> {
  const headers: Record<string, string> = {}
  for (const [name, value] of answered) if (passedBack.test(name)) headers[name] = value
  const type = answered.get('content-type')
  headers['content-type'] = type !== null && mediaType.test(type) ? type : 'application/octet-stream'
  return headers
}

/** Whatever a node answers is shown by no browser as a page that could do something in our name. */
export const harmlessAnswer = {
  'content-security-policy': "sandbox; default-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store', // the address holds a key
} as const
