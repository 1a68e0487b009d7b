/**
 * Latencies are counted in 64 classes that grow by a fifth from 0.5 ms to 40 s: a percentile is off by at most 10 %,
 * and adding histograms loses nothing.
 */
export const latencyClasses = 64

const lowestMs = 0.5
const growth = 1.2
const perClass = 1 / Math.log(growth)

/**
 * Returns the class of a latency. Class 0 holds everything up to the lowest bound, the last one everything above the
 * highest.
 */
export function latencyClassOf(tookMs: number): number {
  if (!(tookMs > lowestMs)) return 0
  return Math.min(latencyClasses - 1, Math.ceil(Math.log(tookMs / lowestMs) * perClass))
}

const fullestByte = 255

/** Of the histogram that a latency is counted in. */
interface CountedBefore {
  readonly halvings: number
  readonly answers: number
}

/**
 * Counts a latency in the histogram that begins at `first`, whose classes have one byte each. When a class is full, all
 * are halved, and from then on one answer of two is counted, then one of four: the shares stay right, in 64 bytes.
 * Returns how often the histogram is halved now.
 */
export function countLatency(
  bytes: Uint8Array,
  first: number,
  place: number,
  { halvings, answers }: CountedBefore,
): number {
  if (halvings > 0 && scattered(answers) >>> (32 - halvings) !== 0) return halvings
  const isFull = bytes[first + place] === fullestByte
  if (isFull) halve(bytes.subarray(first, first + latencyClasses))
  bytes[first + place] = (bytes[first + place] ?? 0) + 1
  return isFull ? halvings + 1 : halvings
}

/**
 * Scatters the number of an answer. Counting each fourth answer by number would miss calls that come in patterns.
 */
const scattered = (answers: number): number => Math.imul(answers, 0x9e3779b1) >>> 0

/**
 * Halves all classes. What one class loses to rounding goes to the next one, so that the few answers at the slow end
 * do not vanish.
 */
function halve(classes: Uint8Array): void {
  let carried = 0
  for (let place = 0; place < classes.length; place++) {
    const count = (classes[place] ?? 0) + carried
    classes[place] = count >> 1
    carried = count & 1
  }
}

/** The decimal digits of one class in the number that represents a histogram in the database. */
const digits = 16

/**
 * Returns a histogram as one number, class 0 in its lowest digits, so that adding two numbers adds two histograms.
 * `weight` is how many answers each count represents.
 */
export function latenciesToNumber(counts: ArrayLike<number>, weight = 1): string {
  let text = ''
  for (let place = counts.length - 1; place >= 0; place--) {
    const count = (counts[place] ?? 0) * weight
    if (text !== '') text += String(count).padStart(digits, '0')
    else if (count > 0) text = String(count)
  }
  return text === '' ? '0' : text
}

export function latenciesFromNumber(text: string): number[] {
  const counts: number[] = []
  for (let end = text.length; end > 0; end -= digits) {
    counts.push(Number(text.slice(Math.max(0, end - digits), end)))
  }
  return counts
}

/**
 * Returns the latency in ms that `share` (0 to 1) of the answers did not exceed; null when there were none.
 */
export function latencyPercentile(counts: readonly number[], share: number): number | null {
  const total = counts.reduce((sum, count) => sum + count, 0)
  if (total === 0) return null
  let rank = Math.ceil(total * share)
  const place = counts.findIndex((count) => (rank -= count) <= 0)
  return Number(classMiddle(place).toPrecision(3))
}

function classMiddle(place: number): number {
  if (place === 0) return lowestMs
  const upper = lowestMs * growth ** place
  return place === latencyClasses - 1 ? upper / growth : upper / Math.sqrt(growth)
}
