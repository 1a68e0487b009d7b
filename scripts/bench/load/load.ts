import type { CallsPlan, LoadPlan, LoadResult } from './load-plan.ts'
import { callByWrk, runWrk } from './wrk.ts'
import { runOwnLoad } from './own-load.ts'

export interface LoadGenerator {
  readonly name: string
  run(plan: LoadPlan): Promise<LoadResult>
  runCalls(plan: CallsPlan): Promise<LoadResult>
}

/** wrk where it is installed, as everybody knows what that measures; else a small one of our own. */
export const chooseLoadGenerator = (): LoadGenerator =>
  Bun.which('wrk') === null
    ? { name: 'own generator', run: runOwnLoad, runCalls: runOwnLoad }
    : { name: 'wrk', run: runWrk, runCalls: callByWrk }
