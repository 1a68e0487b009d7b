/** What was admitted when; instants ascend and have the unit of the period that is asked for. */
export interface DecisionLog {
  add(at: number, cost: number): void
  /** The most that any closed interval of that length holds, found by looking at each one that ends with an admission. */
  mostIn(period: number): number
  /** How many such intervals hold more than that; each one that ends with an admission is looked at. */
  intervalsAbove(units: number, period: number): number
  /** Sum of what was admitted from an instant on. */
  since(at: number): number
}

export function createDecisionLog(): DecisionLog {
  const entries: { at: number; cost: number }[] = []

  function* sumsOf(period: number): Generator<number> {
    let sum = 0
    let oldest = 0
    for (const { at, cost } of entries) {
      sum += cost
      for (let first = entries[oldest]; first && at - first.at > period; first = entries[++oldest]) {
        sum -= first.cost
      }
      yield sum
    }
  }

  return {
    add: (at, cost) => void entries.push({ at, cost }),
    mostIn(period) {
      let most = 0
      for (const sum of sumsOf(period)) most = Math.max(most, sum)
      return most
    },
    intervalsAbove(units, period) {
      let above = 0
      for (const sum of sumsOf(period)) if (sum > units) above++
      return above
    },
    since(from) {
      let sum = 0
      for (let index = entries.length - 1; index >= 0; index--) {
        const entry = entries[index]
        if (entry === undefined || entry.at < from) break
        sum += entry.cost
      }
      return sum
    },
  }
}
