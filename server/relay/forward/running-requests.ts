import type { UpstreamRequest } from './upstream-request.ts'
import type { Question } from './question.ts'

const buckets = 1_024
/** Of the parameters of a call, so many characters decide about its bucket. */
const hashedChars = 64

/**
 * The requests that are under way, by what they ask. Every call comes and goes here: a `Map` would build one text of
 * method and parameters for each and hash all of it, which takes three times as long as the rest of a request.
 */
export class RunningRequests {
  /** The first of each bucket; the others hang on it. */
  readonly #first: (UpstreamRequest | null)[] = Array.from({ length: buckets }, () => null)

  find(question: Question): UpstreamRequest | null {
    let request = this.#first[bucketOf(question)] ?? null
    while (request !== null && !asks(request, question)) request = request.nextRunning
    return request
  }

  add(request: UpstreamRequest, question: Question): void {
    const bucket = bucketOf(question)
    request.nextRunning = this.#first[bucket] ?? null
    this.#first[bucket] = request
  }

  remove(request: UpstreamRequest, question: Question): void {
    const bucket = bucketOf(question)
    let before: UpstreamRequest | null = null
    let found = this.#first[bucket] ?? null
    while (found !== null && found !== request) {
      before = found
      found = found.nextRunning
    }
    if (found === null) return
    if (before === null) this.#first[bucket] = request.nextRunning
    else before.nextRunning = request.nextRunning
    request.nextRunning = null
  }
}

const asks = ({ plan }: UpstreamRequest, { method, params }: Question): boolean =>
  plan.question !== null && plan.question.params === params && plan.question.method === method

/** FNV-1a over characters from all along the parameters. */
function bucketOf({ method, params }: Question): number {
  const step = 1 + Math.floor(params.length / hashedChars)
  let hash = 0x811c9dc5 ^ method.length
  for (let place = params.length - 1; place >= 0; place -= step) {
    hash = Math.imul(hash ^ params.charCodeAt(place), 0x01000193)
  }
  return (hash >>> 16) & (buckets - 1)
}
