/** One look at a process under load. */
export interface SoakSample {
  readonly process: string
  /** Ms since the beginning. */
  readonly at: number
  readonly residentMb: number
  readonly descriptors: number
  /** The longest that its event loop was late since the sample before. */
  readonly lagMs: number
  /** How much of that time the machine had no time for one of them: then lag says nothing about the process. */
  readonly stalledMs: number
}

type Measure = 'residentMb' | 'descriptors' | 'lagMs'

/** What is flat: the middle of the last quarter is no more than so much above that of the second, which begins when all is warm. */
const measures: readonly {
  readonly name: Measure
  readonly share: number
  readonly more: number
  readonly isOfMachine: boolean
}[] = [
  { name: 'residentMb', share: 1.1, more: 8, isOfMachine: false },
  { name: 'descriptors', share: 1, more: 10, isOfMachine: false },
  { name: 'lagMs', share: 1.5, more: 25, isOfMachine: true },
]
/** Fewer looks in a quarter say nothing. */
const fewest = 3

export interface Flatness {
  readonly process: string
  readonly measure: Measure
  readonly early: number
  readonly late: number
  /** Null: the machine had too little time to tell. */
  readonly isFlat: boolean | null
}

/** Returns for each process and measure the middle of the second quarter and that of the last. */
export function flatnessOf(samples: readonly SoakSample[]): Flatness[] {
  const endsAt = Math.max(...samples.map(({ at }) => at))
  return [...Map.groupBy(samples, ({ process }) => process)].flatMap(([process, own]) =>
    measures.map(({ name, share, more, isOfMachine }) => {
      const within = (from: number, until: number): number[] =>
        own
          .filter(
            ({ at, stalledMs }) =>
              at >= from * endsAt && at <= until * endsAt && !(isOfMachine && stalledMs > 0),
          )
          .map((sample) => sample[name])
      const [first, last] = [within(0.25, 0.5), within(0.75, 1)]
      const [early, late] = [middle(first), middle(last)]
      const isTold = !isOfMachine || Math.min(first.length, last.length) >= fewest
      return { process, measure: name, early, late, isFlat: isTold ? late <= early * share + more : null }
    }),
  )
}

function middle(values: readonly number[]): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN
}
