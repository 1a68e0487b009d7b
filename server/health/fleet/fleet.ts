/**
 * Several processes, one decider. The owner of the lease `health` (`platform/leases/ownership.ts`) runs the built-in verifier,
 * decides and writes history; all the others have the same observations and serve the owner's decisions from memory.
 *
 * 1. Any process takes a verifier's batch and checks its signature. `pass-on.ts` hands it to the owner, which checks it again
 *    and alone counts sequence numbers, so that a batch is taken once, whatever process it is sent to.
 * 2. `broadcast.ts` sends the other processes a changed decision at once, and every 200 ms the batches that the owner has
 *    accepted and what else it has decided (`messages.ts`), under its epoch. `follow-owner.ts` receives them: observations go to the process's own table, so that a
 *    process that takes over knows what its predecessor knew, and details, heads and capabilities need nobody else.
 * 3. Each decision is valid until its quorum expires. A process that receives nothing says UNKNOWN then, whoever died.
 * 4. `take-over.ts`: who takes over joins what is stored with what it received last, stores transitions that its predecessor
 *    could not, and goes on with the same timers.
 *
 * All stamp by the clock of the database (`platform/database-clock.ts`), so that instants of one process mean the same to
 * another. Where there can be no other process, all of this is absent: nothing is sent, asked or waited for.
 *
 * Failure: while nobody owns the lease, reports are answered with 503 and verifiers send them again. A process that the owner
 * does not reach reads decisions from the database, and that is all it knows. An owner that lost the lease without noticing is
 * told so by the first process that answers it, and the database refuses what it writes. While the database is away the owner
 * goes on, and what it decides reaches the others; nobody can take over from it then.
 *
 * Known limitations: what a killed owner measured in its last minute is missing in the statistics of probes and uptime. A
 * transition that it had sent but not stored is stored by the next owner, without the votes behind it. To follow costs each
 * process about as much as to decide; the column `shard` of the lease is there for owners of a part of the services.
 */
import type { ReportBatch } from '../../../shared/verifier-protocol.ts'
import type { Log } from '../../platform/log.ts'
import type { Deciding } from '../../platform/leases/deciding.ts'
import type { Ownership } from '../../platform/leases/ownership.ts'
import { type PeriodicJob, createPeriodicJob } from '../../platform/periodic-job.ts'
import type { SteadyClock } from '../../platform/steady-clock.ts'
import type { SavedHealth } from '../history/store.ts'
import type { ActiveVerifier } from '../verifiers/active-verifiers.ts'
import { createBroadcast, ownersPath } from './broadcast.ts'
import type { FleetLink } from './fleet-link.ts'
import type { FleetParts } from './fleet-parts.ts'
import { createOwnerFollower } from './follow-owner.ts'
import { acceptedReport, isWorthSending } from './messages.ts'
import { answerReport, createPassOn, reportPath } from './pass-on.ts'
import { createSuspicions } from './suspicions.ts'
import { takeOver } from './take-over.ts'

export interface FleetOptions {
  readonly ownership: Ownership
  /** Null where there can be no other process. */
  readonly link: FleetLink | null
  readonly nodeId: string
  readonly deciding: Deciding
  readonly clock: SteadyClock
  readonly log: Log
}

const lookEveryMs = 1_000
const healthsInLine = 500

export type Fleet = ReturnType<typeof createFleet>

export function createFleet(options: FleetOptions) {
  const { ownership, link, nodeId, deciding, clock, log } = options
  /** The newest decision on each service that this process has sent to the others, or received. */
  const decisions = new Map<string, SavedHealth>()
  const listeners: ((isDeciding: boolean) => Promise<void>)[] = []
  let looking: PeriodicJob | null = null

  function heldByMe() {
    const epoch = deciding.isDeciding() ? ownership.epoch() : null
    return epoch === null ? null : { holder: nodeId, epoch }
  }

  function* snapshot(): Generator<string> {
    const healths = [...decisions.values()].filter(({ quorumExpiresAt }) => quorumExpiresAt > clock.now())
    for (let from = 0; from < healths.length; from += healthsInLine)
      yield lineOf(healths.slice(from, from + healthsInLine))
  }

  const broadcast =
    link && createBroadcast({ link, held: heldByMe, snapshot, overtaken: ownership.learn, log })

  function decided(health: SavedHealth): void {
    const sent = decisions.get(health.serviceId)
    if (!isWorthSending(sent, health)) return
    decisions.set(health.serviceId, health)
    broadcast?.add(() => lineOf([health]))
    if (sent?.published !== health.published) broadcast?.hurry()
  }

  const accepted = (verifier: ActiveVerifier, batch: ReportBatch, receivedAt: number): void =>
    broadcast?.add(() => JSON.stringify(acceptedReport(verifier, batch, receivedAt)))

  async function toListeners(isDeciding: boolean): Promise<void> {
    for (const listener of listeners) await listener(isDeciding)
  }

  return {
    isDeciding: deciding.isDeciding,

    /** Says what is to be done as the owner, and as one of the others: once, before `start`. */
    connect(parts: FleetParts): void {
      ownership.onChange({
        async gained() {
          await takeOver({ parts, decisions, deciding })
          await toListeners(true)
        },
        async lost() {
          deciding.end()
          parts.stopDeciding()
          await toListeners(false)
        },
      })
      const follower = createOwnerFollower({ ownership, deciding, decisions, clock, parts })
      looking = createPeriodicJob(lookEveryMs, follower.lookIntoDatabase, (error) =>
        log.debug('decisions could not be read', { error }),
      )
      link?.handle(ownersPath, ({ body }) => follower.receive(body))
      link?.handle(reportPath, ({ body }) => answerReport(body, parts.receive))
    },

    passOn: createPassOn({ link, ownership }),
    /** Sends a decision to the other processes; null where there are none. */
    decided: broadcast && decided,
    /** Sends a batch that was accepted here to the other processes; null where there are none. */
    accepted: broadcast && accepted,
    ...createSuspicions({ ownership, link, nodeId, log }),
    forgetService: (id: string): void => void decisions.delete(id),
    /** Calls back when this process begins to decide, and when it ends. Before `start`. */
    onDeciding: (listener: (isDeciding: boolean) => Promise<void>): void => void listeners.push(listener),
    /** Resolves when it is known who decides, and this process has its decisions. */
    async start(): Promise<void> {
      await ownership.start()
      if (link === null) return
      await looking?.run()
      looking?.start()
      broadcast?.start()
    },
    /** Lets another process take over, after history is stored. */
    async stop(): Promise<void> {
      await looking?.stop()
      await ownership.stop()
      broadcast?.stop()
    },
  }
}

const lineOf = (healths: readonly SavedHealth[]): string => JSON.stringify({ kind: 'decisions', healths })
