/** One look at a process under load. */
export interface SoakSample {
  readonly process: string
  /** Ms since the beginning. */
  readonly at: number
  readonly residentMb: number
  readonly descriptors: number
  /** The longest that its event loop was late since the sample before. */
  readonly lagMs: number
}

type Measure = 'residentMb' | 'descriptors' | 'lagMs'

/** What is flat: the middle of the last quarter is no more than so much above that of the second, which begins when all is warm. */
const measures: readonly { readonly name: Measure; readonly share: number; readonly more: number }[] = [
  { name: 'residentMb', share: 1.1, more: 8 },
  { name: 'descriptors', share: 1, more: 10 },
  { name: 'lagMs', share: 1.5, more: 25 },
]

export interface Flatness {
  readonly process: string
  readonly measure: Measure
  readonly early: number
  readonly late: number
  readonly isFlat: boolean
}

/** Returns for each process and measure the middle of the second quarter and that of the last. */
export function flatnessOf(samples: readonly SoakSample[]): Flatness[] {
  const endsAt = Math.max(...samples.map(({ at }) => at))
  return [...Map.groupBy(samples, ({ process }) => process)].flatMap(([process, own]) =>
    measures.map(({ name, share, more }) => {
      const within = (from: number, until: number): number =>
        middle(
          own.filter(({ at }) => at >= from * endsAt && at <= until * endsAt).map((sample) => sample[name]),
        )
      const [early, late] = [within(0.25, 0.5), within(0.75, 1)]
      return { process, measure: name, early, late, isFlat: late <= early * share + more }
    }),
  )
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
