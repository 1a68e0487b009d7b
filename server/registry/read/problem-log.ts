import type { RowProblem } from '../../../shared/registry.ts'
import type { ProblemLog } from '../snapshot.ts'
import { snapshotLimits } from './limits.ts'

/** Counts every problem, and keeps the first 1,000 to be listed: rows that were left out before rows that were changed. */
export function createProblemLog(): ProblemLog {
  const leftOut: RowProblem[] = []
  const changed: RowProblem[] = []
  const counts = { left_out: 0, changed: 0 }

  return {
    add(problem) {
      counts[problem.effect]++
      const kept = problem.effect === 'left_out' ? leftOut : changed
      if (kept.length < snapshotLimits.problemsKept) kept.push(problem)
    },
    get problems() {
      return [...leftOut, ...changed].slice(0, snapshotLimits.problemsKept)
    },
    get leftOut() {
      return counts.left_out
    },
    get changed() {
      return counts.changed
    },
  }
}
