import type { Chain } from '../../../shared/chains.ts'
import type { VerifierLine } from '../../../shared/health-verifiers.ts'
import type {
  Assignments,
  EnrollRequest,
  EnrollResponse,
  ReportBatch,
} from '../../../shared/verifier-protocol.ts'
import { assignmentsText, limits } from '../../../shared/verifier-protocol.ts'
import type { Database } from '../../platform/database.ts'
import { fault } from '../../platform/fault.ts'
import type { Log } from '../../platform/log.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { RecordChange } from '../record-change.ts'
import { defaultPolicy } from '../decide/policy.ts'
import type { Catalogue } from '../services/catalogue.ts'
import { restartFloor } from './admission.ts'
import { createAssignmentBook } from './assignments.ts'
import { createDirectory } from './directory.ts'
import type { ListedVerifier } from './directory.ts'
import { createEnrolment } from './enrolment.ts'
import type { Enrolled } from './enrolment.ts'
import { createProgress } from './progress.ts'
import { createReports } from './reports.ts'
import type { ReportResult } from './reports.ts'
import { createVerifierStore } from './store.ts'
import type { Verifier } from './verifier.ts'

export interface VerifiersOptions {
  readonly database: Database
  readonly clock: SteadyClock
  readonly log: Log
  /** What there is to probe. */
  readonly watched: {
    readonly catalogue: Catalogue
    readonly findChain: (key: string) => Chain | undefined
    readonly canaries: () => readonly string[]
  }
  /** Who is told what. */
  readonly heard: {
    report(verifier: ListedVerifier, batch: ReportBatch, receivedAt: number): void
    counted(result: ReportResult): void
    /** It was revoked or switched off. */
    left(verifier: ListedVerifier): void
    /** How many verifiers a decision needs may have changed. */
    quorumChanged(): void
  }
}

/** What a verifier sends to get its assignments: its id, its clock, and a signature over both. */
export interface AssignmentsRequest {
  readonly verifierId: string | null
  readonly time: string | null
  readonly signature: string | null
  readonly etag: string | null
  readonly signal: AbortSignal
}

export type Verifiers = ReturnType<typeof createVerifiers>

/** Who may report, what they are told to probe, and what they sent. */
export function createVerifiers(options: VerifiersOptions) {
  const { database, clock, log, watched, heard } = options
  const store = createVerifierStore(database)
  const directory = createDirectory()
  const enrolment = createEnrolment(database, store, clock)
  const assignments = createAssignmentBook({ ...watched, isRevoked: directory.isRevoked, clock })
  const reports = createReports({
    directory,
    clock,
    ingest(verifier, batch, receivedAt) {
      if (verifier.joinedAt === null) reportedFirst(verifier, receivedAt)
      verifier.verifier.lastSeenAt = receivedAt
      progress.note(verifier.verifier)
      heard.report(verifier, batch, receivedAt)
    },
    assignmentsEtag: assignments.etag,
    slowDownMs: () => 0,
    count: heard.counted,
  })
  const progress = createProgress(store, log)
  /** By public key. Those of data folders that are no more stay out of force. */
  const builtIns = new Map<string, Verifier>()

  /** Only now does it count as assigned: a verifier that never came must not cost the others their quorum. */
  function reportedFirst(listed: ListedVerifier, at: number): void {
    listed.joinedAt = at
    directory.changed()
    heard.quorumChanged()
    const { id, name } = listed.verifier
    log.info('a verifier reports for the first time', { verifierId: id, name })
  }

  return {
    directory,
    reports,

    async load(): Promise<void> {
      for (const verifier of await store.load()) {
        if (verifier.isRevoked) directory.revoke(verifier.id)
        else if (verifier.isBuiltIn) builtIns.set(verifier.publicKey, verifier)
        else directory.put({ ...verifier, lastSeq: restartFloor(verifier.lastSeq, Math.floor(clock.now())) })
      }
    },

    /** A token with which one verifier can enrol within an hour. */
    createToken: enrolment.createToken,
    tokens: enrolment.tokens,
    cancelToken: enrolment.cancelToken,

    /** Those in force, as operators see them. */
    list: (): VerifierLine[] => [...directory.all()].map(lineOf),

    async enroll(request: EnrollRequest, record: RecordChange<Enrolled>): Promise<EnrollResponse> {
      const verifier = await enrolment.enroll(request, record)
      directory.put(verifier)
      log.info('verifier enrolled', { verifierId: verifier.id, name: verifier.name, region: verifier.region })
      const { intervalMs, freshMs } = defaultPolicy(null, 'http')
      return { verifierId: verifier.id, serverTimeMs: Math.floor(clock.now()), intervalMs, freshMs }
    },

    /** Puts the verifier inside the server in force; the same key is the same verifier at every start. */
    async switchOnBuiltIn(publicKey: string, version: string): Promise<Verifier> {
      const known = builtIns.get(publicKey) ?? (await enrolment.enrollBuiltIn(publicKey, version))
      const lastSeq = restartFloor(known.lastSeq, Math.floor(clock.now()))
      const { verifier } = directory.put({ ...known, lastSeq })
      builtIns.set(publicKey, verifier)
      heard.quorumChanged()
      return verifier
    },

    /** It counts for no quorum while it is off. */
    switchOffBuiltIn(id: string): void {
      const removed = directory.remove(id)
      if (removed) heard.left(removed)
      heard.quorumChanged()
    },

    /** Faults: `not_found`, `conflict` for the built-in one. In force before it returns. */
    async revoke(id: string, record: RecordChange): Promise<void> {
      if (directory.find(id)?.verifier.isBuiltIn) {
        throw fault(
          'conflict',
          'the built-in verifier is switched off in the file: verifiers: { builtIn: false }',
        )
      }
      await enrolment.revoke(id, record)
      const revoked = directory.revoke(id)
      if (revoked) heard.left(revoked)
      heard.quorumChanged()
      assignments.changed()
      log.info('verifier revoked', { verifierId: id })
    },

    /** Waits for a change when the etag is that of today; null: nothing has changed. */
    async assignments(request: AssignmentsRequest): Promise<Assignments | null> {
      const { verifierId, time, signature, etag, signal } = request
      const verifier = reports.authenticate(
        verifierId,
        signature,
        assignmentsText(verifierId ?? '', time ?? ''),
      )
      requireClock(Number(time), clock.now())
      const changed = await assignments.waitForChange(verifier, etag ?? '', signal)
      if (directory.isRevoked(verifier.verifier.id))
        throw fault('verifier_revoked', 'this verifier was revoked')
      return changed
    },

    assignmentsChanged: assignments.changed,

    /** Ends the requests of verifiers that wait for a change, so that the server can stop. */
    hangUp: assignments.close,

    start: progress.start,

    /** Stores how far the verifiers have come. */
    stop: progress.stop,
  }
}

function lineOf({ verifier, isIsolated, isEjected, hasStaleView }: ListedVerifier): VerifierLine {
  const { id, name, region, version, families, isBuiltIn, createdAt, lastSeenAt } = verifier
  const described = { id, name, region, version, families, isBuiltIn, createdAt, lastSeenAt }
  return { ...described, isIsolated, isEjected, hasStaleView }
}

/** A captured request for assignments is good for a minute. */
function requireClock(time: number, now: number): void {
  if (Math.abs(now - time) <= limits.clockSkewMs) return
  throw fault(
    'clock_skew',
    `verifier-time: more than ${limits.clockSkewMs / 1000} s off the server's clock`,
    {
      headers: { 'server-time-ms': String(Math.floor(now)) },
    },
  )
}
