import type { Log } from '../platform/log.ts'
import type { WorkerProcess } from './worker-process.ts'

/** Longer than anything that a worker does in one turn of its event loop, on a busy machine, too. */
const looksInVain = 15
const everyMs = 1_000

type Watched = Pick<WorkerProcess, 'number' | 'signsOfLife' | 'kill'>

/**
 * Kills workers that stand still: they take connections, but answer nothing, and neither end nor hand over when they are told
 * to. Looks are counted, not time, so that nobody is killed because supervisor and workers stood still together, as with
 * `docker pause`. One that has not begun to give signs of life is left alone.
 */
export function createSilenceWatch(living: () => readonly Watched[], log: Pick<Log, 'error'>) {
  let known = new Map<Watched, { readonly signs: number; readonly inVain: number }>()

  function look(): void {
    known = new Map(
      living().map((worker) => {
        const signs = worker.signsOfLife()
        const before = known.get(worker)
        const isSilent = signs > 0 && signs === before?.signs
        return [worker, { signs, inVain: isSilent ? before.inVain + 1 : 0 }] as const
      }),
    )
    for (const [worker, { inVain }] of known) {
      if (inVain < looksInVain) continue
      if (inVain === looksInVain)
        log.error('a worker stands still and is killed', {
          worker: worker.number,
          silentMs: inVain * everyMs,
        })
      worker.kill()
    }
  }

  return { look, everyMs }
}
