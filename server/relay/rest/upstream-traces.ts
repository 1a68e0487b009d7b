import { isUtf8 } from 'node:buffer'

import type { Upstream } from '../../endpoints/endpoints.ts'
import { secretsOf, withoutSecrets } from '../upstreams/secrets.ts'
import { addressesBehind, needlesOf, patternsOf, type UpstreamPatterns } from './upstream-patterns.ts'

/** An answer of a node, as far as it is looked through. */
export interface LookedThrough {
  readonly status: number
  /** Null: the node has not said. */
  readonly type: string | null
  readonly body: Uint8Array<ArrayBuffer>
}

/** Returns the address at which the caller has called the endpoint. */
type OwnAddress = () => string

/**
 * What stands for an address of ours until all else is replaced, so that nothing is replaced in it. They are noncharacters, which
 * no text is interchanged with; in the order of `addressesOf`.
 */
const marks = ['\uFDD0', '\uFDD1', '\uFDD2', '\uFDD3'] as const
const anyMark = new RegExp(`[${marks.join('')}]`, 'g')
const markedAddress = addressesBehind(marks.join(''))

/**
 * Replaces in answers what they tell of the upstream that they come from. APIs such as Stellar's Horizon make links of the
 * address that they are called at: these become addresses of the relay, so that a caller who follows them comes by here again.
 * Everything else of it becomes `…`.
 */
class UpstreamTraces {
  readonly #upstream: Upstream
  readonly #needles: readonly Buffer[]
  #patterns: UpstreamPatterns | null = null
  #secrets: readonly string[] | null = null

  constructor(upstream: Upstream) {
    this.#upstream = upstream
    this.#needles = needlesOf(upstream)
  }

  /** Nothing is copied where nothing is found. Bytes that are no text are left alone: they would not be whole any more. */
  removeFrom({ status, type, body }: LookedThrough, own: OwnAddress): Uint8Array<ArrayBuffer> {
    if (status < 400) {
      const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength)
      if (!this.#needles.some((needle) => bytes.includes(needle)) || !isText(type, bytes)) return body
    }
    const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString()
    const marked = this.#markLinks(text)
    const clean =
      status < 400
        ? marked.replace(this.#found.others, '…')
        : withoutSecrets(marked, (this.#secrets ??= secretsOf(this.#upstream)))
    if (clean === text) return body
    return new TextEncoder().encode(withAddresses(clean, own))
  }

  get #found(): UpstreamPatterns {
    return (this.#patterns ??= patternsOf(this.#upstream))
  }

  #markLinks(text: string): string {
    const { links, paths, parameters } = this.#found
    let marked = text.replace(links, (link) => marks[isEncoded(link) ? 1 : 0])
    if (paths !== null) marked = marked.replace(paths, (path) => marks[isEncoded(path) ? 3 : 2])
    if (parameters === null) return marked
    return marked.replace(markedAddress, (address) =>
      address
        .replace(parameters.further, '')
        .replace(parameters.first, (_, mark: string, next?: string) => (next === undefined ? '' : mark)),
    )
  }
}

/** An address in the query of another one. */
const isEncoded = (text: string): boolean => /%2f/i.test(text)

function withAddresses(text: string, own: OwnAddress): string {
  const address = own()
  const path = address.slice(address.indexOf('/', 'https://'.length))
  const addresses = [address, encodeURIComponent(address), path, encodeURIComponent(path)]
  return text.replace(anyMark, (mark) => addresses[marks.findIndex((each) => each === mark)] ?? '')
}

const namedText = /^text\/|(?:json|xml|yaml|javascript)\b/i
const unnamed = /^application\/octet-stream\b/i
// eslint-disable-next-line no-control-regex -- they are what tells binary data from text
const control = /[\u0000-\u0008\u000E-\u001F]/

/** Whether an answer is text: its type says so, or there is none and it looks like it. */
function isText(type: string | null, bytes: Buffer): boolean {
  if (type !== null && !unnamed.test(type)) return namedText.test(type)
  return isUtf8(bytes) && !control.test(bytes.toString('latin1'))
}

const known = new WeakMap<Upstream, UpstreamTraces>()

/** Returns the one of an upstream, which is made at its first answer. */
export function tracesOf(upstream: Upstream): UpstreamTraces {
  const before = known.get(upstream)
  if (before !== undefined) return before
  const traces = new UpstreamTraces(upstream)
  known.set(upstream, traces)
  return traces
}
