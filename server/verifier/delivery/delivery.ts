import type { ReportAck } from '../../../shared/verifier-protocol.ts'
import type { Clock } from '../../platform/clock.ts'
import { assertNever } from '../../platform/fault.ts'
import type { Log } from '../../platform/log.ts'
import { backOffMs } from './back-off.ts'
import { nextSeq, writeBatch } from './batch.ts'
import type { RoundBuffer, PendingBatch } from './buffer.ts'
import { createWakeUp, pause } from '../wake-up.ts'
import { untilAborted } from '../../platform/deadline.ts'
import { type VerifierIdentity, signReport } from '../identity/identity.ts'
import type { ReportOutcome, ServerClient } from '../server-client/server-client.ts'
import type { ServerTime } from '../server-client/server-time.ts'
import type { StoredVerifierState } from '../identity/state.ts'

/** Sends the buffer's rounds to the server, one batch at a time, until each is accepted or rejected for good. */
export interface Delivery {
  /** Tells the delivery loop that the buffer has a new round. */
  wake(): void
  /** Runs until the signal aborts or the server says that the verifier is revoked. */
  run(signal: AbortSignal): Promise<'stopped' | 'revoked'>
}

export interface DeliveryOptions {
  serverClient: ServerClient
  identity: VerifierIdentity
  state: StoredVerifierState
  buffer: RoundBuffer
  serverTime: ServerTime
  clock: Clock
  random: () => number
  log: Log
  onAccepted: (ack: ReportAck) => void
}

/** A batch whose answer was lost: the server may have accepted it. */
interface Unconfirmed {
  seq: number
  pending: PendingBatch
}

type NextStep = { kind: 'go on' } | { kind: 'wait'; ms: number } | { kind: 'revoked' }

/** Corrections (of the sequence, of the clock) that are retried at once; later ones wait like any failure. */
const quickCorrections = 3

export function createDelivery(options: DeliveryOptions): Delivery {
  const { serverClient, identity, state, buffer, serverTime, clock, random, log, onAccepted } = options
  const wakeUp = createWakeUp()
  let unconfirmed: Unconfirmed | null = null
  let failures = 0
  let corrections = 0

  /** A resent batch keeps its number, so that the server's refusal shows that it had accepted the batch. */
  function seqFor(pending: PendingBatch): number {
    if (unconfirmed && holdSameRounds(unconfirmed.pending, pending)) return unconfirmed.seq
    return nextSeq(state.lastSeq(), serverTime.now())
  }

  async function saveSeq(seq: number): Promise<void> {
    try {
      await state.saveSeq(seq)
    } catch (error) {
      // Not fatal: after a restart the clock, or the server's refusal, gives a number that is high enough.
      log.warn('cannot write the state file', { error: String(error) })
    }
  }

  async function send(pending: PendingBatch, seq: number): Promise<ReportOutcome> {
    const { isolated, backfill } = pending
    const envelope = { verifierId: state.verifierId, seq, sentAtMs: serverTime.now(), isolated, backfill }
    const batch = writeBatch(envelope, pending.rounds, clock.monotonic())
    const body = new TextEncoder().encode(JSON.stringify(batch))
    return serverClient.report(body, signReport(identity, body))
  }

  function done(pending: PendingBatch): NextStep {
    buffer.remove(pending.rounds)
    unconfirmed = null
    failures = 0
    corrections = 0
    return { kind: 'go on' }
  }

  function waitAfterFailure(): NextStep {
    failures += 1
    return { kind: 'wait', ms: backOffMs(failures - 1, random) }
  }

  function correct(): NextStep {
    unconfirmed = null
    corrections += 1
    return corrections <= quickCorrections ? { kind: 'go on' } : waitAfterFailure()
  }

  async function settle(pending: PendingBatch, seq: number, outcome: ReportOutcome): Promise<NextStep> {
    switch (outcome.kind) {
      case 'accepted':
        serverTime.synchronize(outcome.ack.serverTimeMs)
        onAccepted(outcome.ack)
        return done(pending)
      case 'replayed':
        if (unconfirmed?.seq === seq && outcome.lastSeq === seq) return done(pending)
        await saveSeq(outcome.lastSeq)
        return correct()
      case 'clock_skew':
        serverTime.synchronize(outcome.serverTimeMs)
        return correct()
      case 'busy':
        return { kind: 'wait', ms: outcome.retryAfterMs }
      case 'unreachable':
        unconfirmed = { seq, pending }
        return waitAfterFailure()
      case 'refused': {
        const { status, message } = outcome
        if (failures === 0) log.warn('reports are refused on their way; trying again', { status, message })
        return waitAfterFailure()
      }
      case 'rejected':
        log.warn('the server refused a batch, which is dropped', { message: outcome.message })
        return done(pending)
      case 'revoked':
        return { kind: 'revoked' }
      default:
        return assertNever(outcome)
    }
  }

  async function sendNext(pending: PendingBatch): Promise<NextStep> {
    const seq = seqFor(pending)
    if (seq > state.lastSeq()) await saveSeq(seq)
    return settle(pending, seq, await send(pending, seq))
  }

  return {
    wake: () => wakeUp.notify(),
    async run(signal) {
      while (!signal.aborted) {
        const pending = buffer.next(clock.monotonic())
        if (!pending) {
          await wakeUp.wait(null, signal)
          continue
        }
        const step = await untilAborted(sendNext(pending), signal)
        if (step.kind === 'revoked') return 'revoked'
        if (step.kind === 'wait') await pause(step.ms, signal)
      }
      return 'stopped'
    },
  }
}

const holdSameRounds = (left: PendingBatch, right: PendingBatch): boolean =>
  left.rounds.length === right.rounds.length &&
  left.rounds.every((round, index) => round === right.rounds[index])
