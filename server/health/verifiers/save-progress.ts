import type { Log } from '../../platform/log.ts'
import { createPeriodicJob } from '../../platform/periodic-job.ts'
import type { VerifierStore } from './store.ts'
import type { Verifier } from './verifier.ts'

/** Writes sequence numbers and last-seen instants to the database every two seconds. */
export interface ProgressWriter {
  /** Marks a verifier as changed, so that the next write includes it. */
  add(verifier: Verifier): void
  save(): Promise<void>
  start(): void
  /** Stops the timer and writes a last time. */
  stop(): Promise<void>
}

const saveEveryMs = 2_000

/** Writes only while this process takes the reports: afterwards another one knows better. */
export function createProgressWriter(
  store: Pick<VerifierStore, 'saveProgress'>,
  log: Log,
  isDeciding: () => boolean,
): ProgressWriter {
  const unsaved = new Map<string, Verifier>()

  async function save(): Promise<void> {
    if (!isDeciding()) unsaved.clear()
    if (unsaved.size === 0) return
    const verifiers = [...unsaved.values()]
    unsaved.clear()
    try {
      await store.saveProgress(verifiers)
    } catch (error) {
      for (const verifier of verifiers) unsaved.set(verifier.id, verifier)
      throw error
    }
  }

  const onFailed = (error: unknown) => log.warn('sequence numbers of verifiers wait in memory', { error })
  const saving = createPeriodicJob(saveEveryMs, save, onFailed)

  return {
    add: (verifier) => void unsaved.set(verifier.id, verifier),
    save,
    start: saving.start,
    async stop() {
      await saving.stop()
      await save().catch(onFailed)
    },
  }
}
