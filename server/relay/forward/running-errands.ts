import type { Errand } from './errand.ts'
import type { Question } from './question.ts'

const buckets = 1_024
/** Of the parameters of a call, so many characters decide about its bucket. */
const hashedChars = 64

/**
 * The errands that are under way, by what they ask. Every call comes and goes here: a `Map` would build one text of
 * method and parameters for each and hash all of it, which takes three times as long as the rest of an errand.
 */
export class RunningErrands {
  /** The first of each bucket; the others hang on it. */
  readonly #first: (Errand | null)[] = Array.from({ length: buckets }, () => null)

  find(question: Question): Errand | null {
    let errand = this.#first[bucketOf(question)] ?? null
    while (errand !== null && !asks(errand, question)) errand = errand.nextRunning
    return errand
  }

  add(errand: Errand, question: Question): void {
    const bucket = bucketOf(question)
    errand.nextRunning = this.#first[bucket] ?? null
    this.#first[bucket] = errand
  }

  remove(errand: Errand, question: Question): void {
    const bucket = bucketOf(question)
    let before: Errand | null = null
    let found = this.#first[bucket] ?? null
    while (found !== null && found !== errand) {
      before = found
      found = found.nextRunning
    }
    if (found === null) return
    if (before === null) this.#first[bucket] = errand.nextRunning
    else before.nextRunning = errand.nextRunning
    errand.nextRunning = null
  }
}

const asks = ({ order }: Errand, { method, params }: Question): boolean =>
  order.question !== null && order.question.params === params && order.question.method === method

/** FNV-1a over characters from all along the parameters. */
function bucketOf({ method, params }: Question): number {
  const step = 1 + Math.floor(params.length / hashedChars)
  let hash = 0x811c9dc5 ^ method.length
  for (let place = params.length - 1; place >= 0; place -= step) {
    hash = Math.imul(hash ^ params.charCodeAt(place), 0x01000193)
  }
  return (hash >>> 16) & (buckets - 1)
}
