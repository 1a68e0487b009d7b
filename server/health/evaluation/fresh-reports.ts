import type { Decision } from '../../../shared/health.ts'
import { snapshotOfLatest } from '../decide/snapshot.ts'
import type { FailureRun } from '../decide/failure-run.ts'
import type { ListedService } from '../services/catalogue.ts'
import type { ActiveVerifiers } from '../verifiers/active-verifiers.ts'
import type { ObservationTable } from './observation-table.ts'
import type { LiveFailures } from './pending-change.ts'
import { type CountedReport, neededVerifiers } from './service-evaluation.ts'

/** What verifiers have observed, and who they are. */
interface Observed {
  readonly table: ObservationTable
  readonly activeVerifiers: ActiveVerifiers
}

/** Returns the fresh reports on a service from every verifier that is not isolated. */
export function freshReports(
  { table, activeVerifiers }: Observed,
  listed: ListedService,
  now: number,
): CountedReport[] {
  const { service, slot } = listed
  const reports: CountedReport[] = []
  table.forEachFresh(slot, now - service.policy.freshMs, (column, observation) => {
    const verifier = activeVerifiers.atColumn(column)
    if (!verifier || verifier.isIsolated) return
    if (observation.error === 'PAUSED') return // it has not voted yet, because it was limited from the start
    const { at, ok, error, lagBlocks, lagSec, rttMs, inconsistent, isConfirmed } = observation
    const { id: verifierId } = verifier.verifier
    reports.push({ verifierId, at, ok, error, lagBlocks, lagSec, rttMs, inconsistent, isConfirmed })
  })
  return reports
}

/** Counts the fresh reports on a service: all of them, and those of verifiers that are not ejected. */
export function countReports(observed: Observed, listed: ListedService, published: Decision, now: number) {
  const { activeVerifiers } = observed
  const { family, policy } = listed.service
  const all = freshReports(observed, listed, now)
  const reports = all.filter(({ verifierId }) => activeVerifiers.find(verifierId)?.isEjected === false)
  const minLive = neededVerifiers(policy, activeVerifiers.assigned(family, now - policy.freshMs))
  return { all, reports, snapshot: snapshotOfLatest(reports, { now, policy, minLive, published }) }
}

/** Returns the failures in a row that the verifiers whose vote counts have seen of a service. */
export function liveFailures(
  { table, activeVerifiers }: Observed,
  { service, slot }: ListedService,
  now: number,
): LiveFailures {
  const runs: FailureRun[] = []
  let liveVerifiers = 0
  table.forEachFresh(slot, now - service.policy.freshMs, (column, { error, inconsistent }) => {
    const verifier = activeVerifiers.atColumn(column)
    if (!verifier || verifier.isIsolated || verifier.isEjected || error === 'PAUSED') return
    liveVerifiers++
    if (inconsistent !== 'lag') runs.push(table.memory(slot, column).run)
  })
  return { runs, liveVerifiers }
}

/** Returns when each verifier whose rate the service limits last had a good answer (epoch ms); null where it had none. */
export function lastGoodOfLimited(
  table: ObservationTable,
  { service, slot }: ListedService,
  now: number,
): (number | null)[] {
  const goodAts: (number | null)[] = []
  table.forEachFresh(slot, now - service.policy.freshMs, (column) => {
    const { run, goodAt } = table.memory(slot, column)
    if (run.kind === 'refused') goodAts.push(goodAt)
  })
  return goodAts
}
