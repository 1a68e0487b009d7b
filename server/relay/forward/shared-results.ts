import type { JudgedCall, SharedCall } from './attempt-class.ts'
import type { UpstreamRequest } from './upstream-request.ts'

/** What the results of nodes tell, and the requests that several calls wait for together. */

const heights = /"(?:blockNumber|number)"\s*:\s*"0x([0-9a-f]{1,13})"/gi

/** Returns the height of the block that a result is about; null where the result names none, or several. */
export function heightOf(result: string): number | null {
  let height: number | null = null
  for (const [, digits = ''] of result.matchAll(heights)) {
    const next = Number.parseInt(digits, 16)
    if (height !== null && next !== height) return null
    height = next
  }
  return height
}

/** Returns the height of the block that is named last, as logs are told in their order; null where none is. */
export function lastHeightOf(result: string): number | null {
  const digits = result.matchAll(heights).toArray().at(-1)?.[1]
  return digits === undefined ? null : Number.parseInt(digits, 16)
}

/** Returns the number in a JSON text such as `"0x1b4"`; null for anything else. */
export function quantityOf(json: string): number | null {
  const digits = /^"0x([0-9a-f]{1,13})"$/i.exec(json)?.[1]
  return digits === undefined ? null : Number.parseInt(digits, 16)
}

const buckets = 1_024
/** At most this many characters of a call's parameters decide about its bucket. */
const hashedChars = 64

/**
 * The upstream requests in flight, by coalescing key. Every call is added and removed here: a `Map` would build one text
 * of method and parameters for each and hash all of it, which takes three times as long as the rest of a request.
 */
export class InFlightRequests {
  /** The first request of each bucket, which links to the others. */
  readonly #first: (UpstreamRequest | null)[] = Array.from({ length: buckets }, () => null)

  find(key: SharedCall): UpstreamRequest | null {
    let request = this.#first[bucketOf(key)] ?? null
    while (request !== null && !hasKey(request, key)) request = request.nextInFlight
    return request
  }

  /** What is asked from now on joins nothing that is in flight: a write has ended, and all of that may be from before. */
  leaveToTheirCallers(): void {
    this.#first.fill(null)
  }

  add(request: UpstreamRequest, key: SharedCall): void {
    const bucket = bucketOf(key)
    request.nextInFlight = this.#first[bucket] ?? null
    this.#first[bucket] = request
  }

  remove(request: UpstreamRequest, key: SharedCall): void {
    const bucket = bucketOf(key)
    let before: UpstreamRequest | null = null
    let found = this.#first[bucket] ?? null
    while (found !== null && found !== request) {
      before = found
      found = found.nextInFlight
    }
    if (found === null) return
    if (before === null) this.#first[bucket] = request.nextInFlight
    else before.nextInFlight = request.nextInFlight
    request.nextInFlight = null
  }
}

function hasKey(
  { plan: { coalescingKey } }: UpstreamRequest,
  { method, params, height, stickyFor }: SharedCall,
): boolean {
  if (coalescingKey === null || coalescingKey.height !== height) return false
  if (coalescingKey.stickyFor !== stickyFor) return false
  return coalescingKey.params === params && coalescingKey.method === method
}

/** FNV-1a over characters from all along the parameters. */
function bucketOf({ method, params }: JudgedCall): number {
  const step = 1 + Math.floor(params.length / hashedChars)
  let hash = 0x811c9dc5 ^ method.length
  for (let index = params.length - 1; index >= 0; index -= step) {
    hash = Math.imul(hash ^ params.charCodeAt(index), 0x01000193)
  }
  return (hash >>> 16) & (buckets - 1)
}
