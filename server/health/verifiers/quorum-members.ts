import { hourMs } from '../../../shared/durations.ts'
import type { Log } from '../../platform/log.ts'
import { type PeriodicJob, createPeriodicJob } from '../../platform/periodic-job.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { ActiveVerifier, ActiveVerifiers } from './active-verifiers.ts'

/** How long (ms) a verifier may be silent before the others decide without it. */
const setAsideAfterMs = 72 * hourMs

/** Which verifiers count in quorums. */
export interface QuorumMembers {
  /** Counts a verifier from its first report on: one that never reports must not cost the others their quorum. */
  join(verifier: ActiveVerifier, at: number): void
  /** Takes out silent verifiers every hour: one that nobody runs any more must not cost the others theirs. */
  readonly settingAside: PeriodicJob
}

interface QuorumMembersOptions {
  readonly activeVerifiers: ActiveVerifiers
  readonly clock: Pick<SteadyClock, 'now'>
  readonly log: Log
  /** Is called when quorums have changed. */
  readonly markAllDue: () => void
}

export function createQuorumMembers(options: QuorumMembersOptions): QuorumMembers {
  const { activeVerifiers, clock, log, markAllDue } = options

  function setAside(): Promise<void> {
    const silent = activeVerifiers.setAside(clock.now() - setAsideAfterMs)
    for (const { verifier } of silent) {
      log.warn('a verifier was silent for three days: it counts for no quorum until it reports again', {
        verifierId: verifier.id,
        name: verifier.name,
        lastSeenAt: verifier.lastSeenAt,
      })
    }
    if (silent.length > 0) markAllDue()
    return Promise.resolve()
  }

  return {
    join(joining, at) {
      joining.joinedAt = at
      activeVerifiers.changed()
      markAllDue()
      const { id, name } = joining.verifier
      log.info('a verifier counts from now on', { verifierId: id, name })
    },
    settingAside: createPeriodicJob(hourMs, setAside, (error) =>
      log.error('silent verifiers were not looked for', { error }),
    ),
  }
}
