import type { Chain } from '../../../shared/chains.ts'
import type { VerifierSummary } from '../../../shared/health-verifiers.ts'
import type { EnrollRequest, EnrollResponse } from '../../../shared/verifier-protocol.ts'
import { assignmentsText, protocolLimits } from '../../../shared/verifier-protocol.ts'
import type { KeyReplicas } from '../../keys/key-replicas.ts'
import type { Database } from '../../platform/database.ts'
import { fault } from '../../platform/fault.ts'
import type { Deciding } from '../../platform/leases/deciding.ts'
import type { Log } from '../../platform/log.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { RecordChange } from '../audit-entry.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Ingest } from '../evaluation/ingest.ts'
import type { StoredFacts } from '../evaluation/stored-facts.ts'
import { defaultPolicy } from '../decide/policy.ts'
import type { Catalogue } from '../services/catalogue.ts'
import { clockSkewText, restartFloor } from './report-sequence.ts'
import { signedForms } from './signature.ts'
import { type ReadAssignments, createAssignmentSource } from './assignments.ts'
import type { CanarySettings } from './canaries.ts'
import type { ActiveVerifiers } from './active-verifiers.ts'
import { type Enrolled, createEnrolment } from './enrolment.ts'
import { createFollowing } from './following.ts'
import { createProgressWriter } from './save-progress.ts'
import { createQuorumMembers } from './quorum-members.ts'
import { type ReportResult, createReports } from './reports.ts'
import { createSilentAt } from './silence.ts'
import { createVerifierStore } from './store.ts'
import { createStoredVerifiers } from './stored-verifiers.ts'
import type { Verifier } from './verifier.ts'

export interface VerifiersOptions {
  readonly database: Database
  readonly replicas: KeyReplicas
  readonly clock: SteadyClock
  readonly log: Log
  /** The services to probe. */
  readonly watched: {
    readonly catalogue: Catalogue
    readonly findChain: (key: string) => Chain | undefined
    readonly canaries: () => CanarySettings
  }
  readonly activeVerifiers: ActiveVerifiers
  /** Receives what verifiers report. */
  readonly evaluation: {
    readonly ingest: Pick<Ingest, 'accept' | 'forgetVerifier'>
    /** Is called when the quorum of a decision may have changed. */
    markAllDue(): void
  }
  readonly facts: Pick<StoredFacts, 'distrust' | 'deleteDistrusted'>
  readonly countReport: (result: ReportResult) => void
  readonly fleet: Pick<Fleet, 'isDeciding' | 'accepted' | 'passOn'>
  /** Stores what this process accepts, as long as it is the one that does. */
  readonly transaction: Deciding['transaction']
}

/** A verifier's request for its assignments: its id, its clock, and a signature over both. */
export interface AssignmentsRequest {
  readonly verifierId: string | null
  readonly time: string | null
  readonly signature: string | null
  readonly etag: string | null
  readonly signal: AbortSignal
}

export type Verifiers = ReturnType<typeof createVerifiers>

/** Creates the verifiers' side of health: enrolment, assignments and reports. */
export function createVerifiers(options: VerifiersOptions) {
  const { database, replicas, clock, log, watched, activeVerifiers, evaluation, facts, fleet } = options
  const { ingest, markAllDue } = evaluation
  const store = createVerifierStore(database, options.transaction)
  const enrolment = createEnrolment({ database, replicas, store, clock })
  const assignments = createAssignmentSource({ ...watched, isRevoked: activeVerifiers.isRevoked, clock })
  const progress = createProgressWriter(store, log, fleet.isDeciding)
  const members = createQuorumMembers({ activeVerifiers, clock, log, markAllDue })
  const reports = createReports({
    ...options,
    progress,
    ingest,
    onFirstReport: members.join,
    assignmentsEtag: assignments.etag,
    count: options.countReport,
  })
  const stored = createStoredVerifiers({
    ...options,
    store,
    keySync: replicas.keySync,
    reloaded: members.settingAside.run,
    dismissed(id, revoked) {
      if (revoked) ingest.forgetVerifier(revoked)
      markAllDue()
      facts.distrust(id)
      assignments.changed()
    },
  })
  replicas.keySync.follow(stored)

  return {
    activeVerifiers,
    reports,
    lookUp: stored.lookUp,

    /** Creates a token with which one verifier can enrol within an hour. */
    createToken: enrolment.createToken,
    tokens: enrolment.tokens,
    cancelToken: enrolment.cancelToken,

    /** Returns the active verifiers as operators see them. */
    list: createList(activeVerifiers, createSilentAt({ ...watched, clock })),

    async enroll(request: EnrollRequest, record: RecordChange<Enrolled>): Promise<EnrollResponse> {
      const verifier = await enrolment.enroll(request, record)
      log.info('verifier enrolled', { verifierId: verifier.id, name: verifier.name, region: verifier.region })
      const { intervalMs, freshMs } = defaultPolicy(null, 'http')
      return { verifierId: verifier.id, serverTimeMs: Math.floor(clock.now()), intervalMs, freshMs }
    },

    /** Activates the verifier inside the server. The same key is the same verifier at every start. */
    async switchOnBuiltIn(publicKey: string, version: string): Promise<Verifier> {
      const known = await enrolment.enrollBuiltIn(stored.builtIns.get(publicKey), publicKey, version)
      const lastSeq = restartFloor(known.lastSeq, Math.floor(clock.now()))
      const { verifier } = activeVerifiers.put({ ...known, lastSeq })
      stored.builtIns.set(publicKey, verifier)
      markAllDue()
      return verifier
    },

    /** Deactivates the built-in verifier, which then counts for no quorum. */
    switchOffBuiltIn(id: string): void {
      const removed = activeVerifiers.remove(id)
      if (removed) ingest.forgetVerifier(removed)
      markAllDue()
    },

    /**
     * Revokes a verifier with immediate effect, in all processes that live unless `propagated` is false. Faults:
     * `not_found`, `conflict` for a built-in one.
     */
    async revoke(id: string, record: RecordChange): Promise<{ propagated: boolean }> {
      const { propagated } = await enrolment.revoke(id, record)
      await facts.deleteDistrusted(id)
      log.info('verifier revoked', { verifierId: id, propagated })
      return { propagated }
    },

    /** Resolves to the assignments. It waits for a change while the etag is the current one; null means that nothing changed. */
    async assignments(request: AssignmentsRequest): Promise<ReadAssignments | null> {
      const { verifierId, time, signature, etag, signal } = request
      await stored.lookUp(verifierId)
      const verifier = reports.authenticate(verifierId, signature, {
        text: assignmentsText(verifierId ?? '', time ?? ''),
        form: signedForms.assignments,
      })
      requireClock(Number(time), clock.now())
      const changed = await assignments.waitForChange(verifier, etag ?? '', signal)
      if (activeVerifiers.isRevoked(verifier.verifier.id))
        throw fault('verifier_revoked', 'this verifier was revoked')
      return changed
    },

    following: createFollowing({ activeVerifiers, ingest, clock, members }),

    assignmentsChanged: assignments.changed,

    /** Ends the requests of verifiers that wait for a change, so that the server can stop. */
    endLongPolls: assignments.close,

    start() {
      members.settingAside.start()
      progress.start()
    },

    /** Stops the timer and stores sequence numbers and last-seen instants. */
    async stop() {
      await members.settingAside.stop()
      await progress.stop()
    },
  }
}

const createList =
  (activeVerifiers: Pick<ActiveVerifiers, 'all'>, silentAt: ReturnType<typeof createSilentAt>) =>
  (): VerifierSummary[] =>
    [...activeVerifiers.all()].map(({ verifier, joinedAt, isIsolated, isEjected, hasStaleView }) => {
      const { id, name, region, version, families, isBuiltIn, createdAt, lastSeenAt } = verifier
      const described = { id, name, region, version, families, isBuiltIn, createdAt, lastSeenAt }
      const isSetAside = joinedAt === null && lastSeenAt !== null
      return { ...described, silentAt: silentAt(verifier), isSetAside, isIsolated, isEjected, hasStaleView }
    })

/** Throws when the verifier's clock is off by more than a minute, so that a captured request is of little use. */
function requireClock(time: number, now: number): void {
  if (Math.abs(now - time) <= protocolLimits.clockSkewMs) return
  throw fault('clock_skew', `verifier-time: ${clockSkewText}`, {
    headers: { 'server-time-ms': String(Math.floor(now)) },
  })
}
