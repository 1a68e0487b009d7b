import { parseJson } from '../../platform/json.ts'
import { always, maxResultBytes, type ResultCache } from '../cache/result-cache.ts'
import { passedOn, restHeadersToCaller } from './passed-headers.ts'

/** A call, as far as its answer may be kept. */
export interface KeptCall {
  readonly method: string
  readonly path: string
  readonly query: string
  readonly headers: Headers
  /** For how many ms; 0: not at all. */
  readonly keptMs: number
}

/** An answer with status 200 that was kept. */
export interface KeptRestAnswer {
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array<ArrayBuffer>
  /** The index of the upstream that it came from. */
  readonly node: number
}

/** What an answer is kept of. */
interface AnswerToKeep {
  readonly status: number
  readonly headers: Headers
  readonly body: Uint8Array<ArrayBuffer>
  readonly from: { readonly index: number }
}

/**
 * The answers of one endpoint of paths that are kept because a rule of its operator says so (`cacheFor`). Nothing is known of
 * what such an answer means, so that only a whole answer with status 200 to a GET without a body is kept, unless its node
 * says that it must not be. It is found by all that a node sees of a call: path, query, and the headers that are passed on.
 * No node sees who calls.
 */
export class RestCache {
  readonly #cache: ResultCache
  readonly #prefix: string
  readonly #kept: 'all' | 'final' | 'off'
  readonly #now: () => number

  /** `prefix`: no other endpoint, and no earlier version of this one, has the same. */
  constructor(cache: ResultCache, prefix: string, kept: 'all' | 'final' | 'off', now: () => number) {
    this.#cache = cache
    this.#prefix = prefix
    this.#kept = kept
    this.#now = now
  }

  find(call: KeptCall): KeptRestAnswer | null {
    if (!this.#mayKeep(call)) return null
    const text = this.#cache.get(this.#keyOf(call), this.#now(), null)
    if (text === null) return null
    const end = text.indexOf('\n')
    const [node, headers] = parseJson(text.slice(0, end)) as [number, Record<string, string>]
    return { node, headers, body: new Uint8Array(Buffer.from(text.slice(end + 1), 'latin1')) }
  }

  keep(call: KeptCall, { status, headers, body, from }: AnswerToKeep): void {
    if (!this.#mayKeep(call) || status !== 200 || body.byteLength > maxResultBytes) return
    if (forbidden.test(headers.get('cache-control') ?? '') || headers.get('vary') === '*') return
    const head = JSON.stringify([from.index, restHeadersToCaller(headers)])
    const text = `${head}\n${Buffer.from(body).toString('latin1')}`
    const staleAt = this.#now() + call.keptMs
    this.#cache.put(this.#keyOf(call), text, { ...always, staleAt })
  }

  /** `final`: only what stays is kept. */
  #mayKeep({ method, keptMs }: KeptCall): boolean {
    if (method !== 'GET' || keptMs === 0 || this.#kept === 'off') return false
    return this.#kept === 'all' || keptMs === Number.POSITIVE_INFINITY
  }

  #keyOf({ path, query, headers }: KeptCall): string {
    const asked = passedOn.map((name) => headers.get(name) ?? '')
    return `${this.#prefix}${path}?${sorted(query)}\n${JSON.stringify(asked)}`
  }
}

const forbidden = /\b(?:no-store|private)\b/i

/** Parameters in the order of their names; those of the same name stay in theirs, which may mean something. */
const sorted = (query: string): string =>
  query
    .split('&')
    .toSorted((one, other) => compare(nameOf(one), nameOf(other)))
    .join('&')

const nameOf = (parameter: string): string => parameter.split('=', 1)[0] ?? ''
const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)
