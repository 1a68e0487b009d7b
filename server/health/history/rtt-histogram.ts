/**
 * Round trips counted in classes that grow by a quarter: 1 ms to 12 s in 43 classes, so that a percentile is off by at
 * most an eighth. Small enough to keep one for each service.
 */
export type RttHistogram = Uint16Array

const growth = 1.25
const classes = 43

export const createRttHistogram = (): RttHistogram => new Uint16Array(classes)

export function countRtt(histogram: RttHistogram, rttMs: number): void {
  const place = rttMs <= 1 ? 0 : Math.min(classes - 1, Math.floor(Math.log(rttMs) / Math.log(growth)))
  const count = histogram[place] ?? 0
  if (count < 65_535) histogram[place] = count + 1
}

/** The round trip in ms which `share` (0 to 1) of the counted ones do not exceed; 0 when nothing was counted. */
export function rttPercentile(histogram: RttHistogram, share: number): number {
  let total = 0
  for (const count of histogram) total += count
  if (total === 0) return 0
  let rank = Math.ceil(total * share)
  for (let place = 0; place < classes; place++) {
    rank -= histogram[place] ?? 0
    if (rank <= 0) return classMiddle(place)
  }
  return classMiddle(classes - 1)
}

const classMiddle = (place: number): number => growth ** place * ((1 + growth) / 2)
