import type { Clock } from '../../platform/clock.ts'
import type { Log } from '../../platform/log.ts'
import type { StoreConnection } from '../../platform/shared-store/store-connection.ts'
import { ignoreLoss, StoreLost, StoreRefused } from '../../platform/shared-store/store-failure.ts'
import type { GrantLog } from './grant-log.ts'
import { joinScript, leaveScript, postedScript } from './membership-scripts.ts'
import { type Joined, namesIn, readJoined, type MemberList } from './member-list.ts'
import { settleMicros } from './store-calls.ts'
import type { LimitKeys } from './store-keys.ts'

/**
 * The membership of this node: whether it may request leases, and how many nodes share the store.
 *
 * Why no interval of a period holds more than its limit although the store may lose all that it knows, and nodes die:
 *
 * 1. A node is granted units only while it is confirmed, which it is once every living node has said that it knows of
 *    it. A silent node loses its confirmation in the step that puts it among the departed. So every node that lived when
 *    the store lost its data can name all that were granted something.
 * 2. After a loss they name them, and the store grants nothing of a limit until all those named have posted what they
 *    were granted, or until a whole period, with the time of leases, has passed since (see `longestDoubtMs` for those
 *    that are longer than an hour). What is posted never counts for a shorter time than it did before.
 * 3. A departed node cannot post; others do that for it, which read its ledger entries after it had lost its
 *    confirmation, when nothing could be added any more. A node that died so shortly before the loss that nobody had
 *    read its entries is waited for, as in 2. A node that one epoch missed is named in the next one too.
 *
 * It takes one node that lived at the loss and comes back within the time to settle. If all die together with the data
 * of the store, nothing remembers what they admitted.
 */
export interface Membership {
  /**
   * The id of the epoch in which this node may request leases; null while the store is lost, or while its grants are
   * not posted.
   */
  epoch(): string | null
  /**
   * Returns true while there is no epoch only because the others do not know this node yet, as after it stood still and they
   * gave it up: that lasts a moment, for which calls can wait.
   */
  isConfirming(): boolean
  /** Resolves once the store was asked again whether this node is confirmed. Never throws. */
  askAgain(): Promise<void>
  /** Returns true once this node may request leases in an epoch that is old enough to grant them. */
  isGranted(): boolean
  /** Why the store counts nothing, when that is more than an outage; null otherwise. */
  storeFailure(): StoreFailure | null
  /** The number of living nodes in the store's last answer, this one included; null before the first. */
  nodes(): number | null
  /** Called when the connection was made. */
  connected(runId: string): void
  /** Called when the connection was lost, or could not be made. */
  lost(failure: StoreLost): void
  /** Called when the store is in another epoch, or does not know this node as confirmed. */
  rejoin(): void
  /** Announces that this node ends. Resolves at the latest at the deadline of a command. */
  leave(): Promise<void>
}

/** `reason` is a sentence for operators that names no address. */
export interface StoreFailure {
  /** `unreached`: this node never joined. `refusing`: the store says no, as a full or a read-only one does. */
  readonly kind: 'unreached' | 'refusing'
  readonly reason: string
}

interface MembershipOptions {
  readonly connection: StoreConnection
  readonly limitKeys: LimitKeys
  readonly clock: Pick<Clock, 'monotonic'>
  readonly nodeId: string
  readonly log: Log
  readonly grantLog: GrantLog
  /** Makes the store count again what it has lost of this node's grants and of those in the grant log. */
  postAll(epoch: string): Promise<void>
}

const beatEveryMs = 250
/** A new node checks more often whether it is confirmed. */
const confirmEveryMs = 50
/** And sooner where calls wait for it. */
const askAgainMs = 20
/** A node that is silent for so long is given up. */
const aliveMicros = 1_500_000

export function createMembership(options: MembershipOptions): Membership {
  const { connection, limitKeys, clock, nodeId, log, grantLog, postAll } = options
  const { epoch: epochKey, nodes: nodesKey, expected, posted, departed: departedKey } = limitKeys
  let runId: string | null = null
  let epoch: string | null = null
  /** When the store grants units in the epoch, on the monotonic clock (ms). */
  let grantsAt = Infinity
  let members: MemberList | null = null
  /** The last epoch in which this node posted everything, or had nothing to post. */
  let postedIn: string | null = null
  let joining: Promise<void> | null = null
  let confirmTimer: ReturnType<typeof setTimeout> | undefined
  let hasLeft = false
  let warnedOf: string | null = null
  const failures = createStoreFailures(log)
  const beat = setInterval(() => void join(), beatEveryMs)
  beat.unref()

  function join(): Promise<void> {
    joining ??= joinOnce().finally(() => {
      joining = null
    })
    return joining
  }

  /**
   * Repeats while the member list changes, because the others wait until this node says that it knows the change.
   */
  async function joinOnce(): Promise<void> {
    try {
      for (;;) {
        if (runId === null || hasLeft) return
        const joined = await askToJoin(runId)
        if (postedIn !== null && postedIn !== joined.members.epoch) {
          await adopt(joined.members.epoch)
          continue
        }
        const before = members
        take(joined)
        if (before?.epoch === joined.members.epoch && before.number === joined.members.number) return
      }
    } catch (error) {
      if (!(error instanceof StoreLost)) throw error
      lose(error)
    }
  }

  async function askToJoin(run: string): Promise<Joined> {
    const keys = [epochKey, nodesKey, expected, posted, departedKey, limitKeys.held(nodeId)]
    const known = members === null ? ['', 0] : [members.epoch, members.number, ...namesIn(members)]
    return readJoined(await connection.run(joinScript, keys, [run, nodeId, aliveMicros, ...known]))
  }

  async function adopt(next: string): Promise<void> {
    epoch = null
    log.warn('the shared store may have lost its counts: this node posts its own again')
    await postAll(next)
    const keys = [epochKey, expected, posted, departedKey]
    const departed = grantLog.known().flatMap((one) => [one.nodeId, one.at])
    const answer = await connection.run(postedScript, keys, [next, nodeId, ...departed])
    if (answer === 'epoch') throw new StoreLost('the store began another epoch')
    postedIn = next
  }

  function take({ members: next, isConfirmed, ageMicros }: Joined): void {
    members = next
    failures.joined()
    postedIn = next.epoch
    epoch = isConfirmed ? next.epoch : null
    grantsAt = clock.monotonic() + (settleMicros - ageMicros) / 1_000
    grantLog.follow(next)
    clearTimeout(confirmTimer)
    if (!isConfirmed) confirmTimer = setTimeout(() => void join(), confirmEveryMs)
    if (next.missing.length === 0 || ageMicros < settleMicros || warnedOf === next.epoch) return
    warnedOf = next.epoch
    log.warn('limits stay closed until what missing processes may have admitted has left their periods', {
      missing: next.missing.length,
    })
  }

  function lose(failure: StoreLost): void {
    if (epoch !== null) log.warn('the shared store of the limits is lost', { reason: failure.message })
    epoch = null
    failures.lost(failure)
  }

  return {
    epoch: () => epoch,
    isConfirming: () =>
      epoch === null && runId !== null && members?.epoch === postedIn && failures.current() === null,
    async askAgain() {
      await join()
      if (epoch === null) await Bun.sleep(askAgainMs)
    },
    isGranted: () => epoch !== null && clock.monotonic() >= grantsAt,
    storeFailure: failures.current,
    nodes: () => members && members.living.length,
    connected(id) {
      runId = id
      void join()
    },
    lost(failure) {
      runId = null
      lose(failure)
    },
    rejoin() {
      epoch = null
      void join()
    },
    async leave() {
      clearInterval(beat)
      hasLeft = true
      epoch = null
      await joining
      clearTimeout(confirmTimer)
      // Whom nobody told is given up a moment later.
      await connection.run(leaveScript, [epochKey, nodesKey, departedKey], [nodeId]).catch(ignoreLoss)
    },
  }
}

/** Follows whether the store can be used at all, and logs once why not. */
function createStoreFailures(log: Log) {
  let hasJoined = false
  let current: StoreFailure | null = { kind: 'unreached', reason: 'it was not answered yet' }
  let logged: string | null = null
  return {
    current: () => current,
    joined(): void {
      hasJoined = true
      current = null
      logged = null
    },
    lost(failure: StoreLost): void {
      const kind = failure instanceof StoreRefused ? 'refusing' : hasJoined ? null : 'unreached'
      current = kind === null ? null : { kind, reason: failure.message }
      if (current !== null && current.reason !== logged) {
        log.warn(`the shared store of the limits is ${current.kind}`, { reason: current.reason })
      }
      logged = current?.reason ?? null
    },
  }
}
