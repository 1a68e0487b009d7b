import type { ReportAck } from '../../shared/verifier-protocol.ts'
import type { Clock } from '../platform/clock.ts'
import { assertNever } from '../platform/fault.ts'
import type { Log } from '../platform/log.ts'
import { backOffMs } from './back-off.ts'
import { nextSeq, writeBatch } from './batch.ts'
import type { Buffer, Parcel } from './buffer.ts'
import { createDoorbell, pause, untilAborted } from './doorbell.ts'
import type { Identity } from './identity.ts'
import type { ReportOutcome, ServerLink } from './server-link.ts'
import type { ServerTime } from './server-time.ts'
import { signReport } from './sign.ts'
import type { VerifierState } from './state.ts'

/** Brings the buffer's rounds to the server, one batch at a time. */
export interface Delivery {
  /** To be called when the buffer has something new. */
  wake(): void
  /** Works until the signal aborts or the server says that the verifier is revoked. */
  run(signal: AbortSignal): Promise<'stopped' | 'revoked'>
}

export interface DeliveryOptions {
  link: ServerLink
  identity: Identity
  state: VerifierState
  buffer: Buffer
  serverTime: ServerTime
  clock: Clock
  random: () => number
  log: Log
  onAccepted: (ack: ReportAck) => void
}

/** A batch whose answer was lost: the server may have taken it. */
interface Unconfirmed {
  seq: number
  parcel: Parcel
}

type NextStep = { kind: 'go on' } | { kind: 'wait'; ms: number } | { kind: 'revoked' }

/** Corrections (of the sequence, of the clock) that are tried at once; after that they wait like any failure. */
const quickCorrections = 3

export function createDelivery(options: DeliveryOptions): Delivery {
  const { link, identity, state, buffer, serverTime, clock, random, log, onAccepted } = options
  const doorbell = createDoorbell()
  let unconfirmed: Unconfirmed | null = null
  let failures = 0
  let corrections = 0

  /** The same rounds again keep their number, so that the server's refusal tells that it had taken them. */
  function seqFor(parcel: Parcel): number {
    if (unconfirmed && holdSameRounds(unconfirmed.parcel, parcel)) return unconfirmed.seq
    return nextSeq(state.lastSeq(), serverTime.now())
  }

  async function keepSeq(seq: number): Promise<void> {
    try {
      await state.keepSeq(seq)
    } catch (error) {
      // Not fatal: after a restart the clock, or the server's refusal, gives a number that is high enough.
      log.warn('cannot write the state file', { error: String(error) })
    }
  }

  async function send(parcel: Parcel, seq: number): Promise<ReportOutcome> {
    const { isolated, backfill } = parcel
    const envelope = { verifierId: state.verifierId, seq, sentAtMs: serverTime.now(), isolated, backfill }
    const batch = writeBatch(envelope, parcel.rounds, clock.monotonic())
    const body = new TextEncoder().encode(JSON.stringify(batch))
    return link.report(body, signReport(identity, body))
  }

  function done(parcel: Parcel): NextStep {
    buffer.remove(parcel.rounds)
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

  async function settle(parcel: Parcel, seq: number, outcome: ReportOutcome): Promise<NextStep> {
    switch (outcome.kind) {
      case 'accepted':
        serverTime.learn(outcome.ack.serverTimeMs)
        onAccepted(outcome.ack)
        return done(parcel)
      case 'replayed':
        if (unconfirmed?.seq === seq && outcome.lastSeq === seq) return done(parcel)
        await keepSeq(Math.max(state.lastSeq(), outcome.lastSeq))
        return correct()
      case 'clock_skew':
        serverTime.learn(outcome.serverTimeMs)
        return correct()
      case 'busy':
        return { kind: 'wait', ms: outcome.retryAfterMs }
      case 'unreachable':
        unconfirmed = { seq, parcel }
        return waitAfterFailure()
      case 'rejected':
        log.warn('the server refused a batch, which is dropped', { message: outcome.message })
        return done(parcel)
      case 'revoked':
        return { kind: 'revoked' }
      default:
        return assertNever(outcome)
    }
  }

  async function sendNext(parcel: Parcel): Promise<NextStep> {
    const seq = seqFor(parcel)
    if (seq > state.lastSeq()) await keepSeq(seq)
    return settle(parcel, seq, await send(parcel, seq))
  }

  return {
    wake: () => doorbell.ring(),
    async run(signal) {
      while (!signal.aborted) {
        const parcel = buffer.next(clock.monotonic())
        if (!parcel) {
          await doorbell.wait(null, signal)
          continue
        }
        const step = await untilAborted(sendNext(parcel), signal)
        if (step.kind === 'revoked') return 'revoked'
        if (step.kind === 'wait') await pause(step.ms, signal)
      }
      return 'stopped'
    },
  }
}

const holdSameRounds = (left: Parcel, right: Parcel): boolean =>
  left.rounds.length === right.rounds.length &&
  left.rounds.every((round, index) => round === right.rounds[index])
