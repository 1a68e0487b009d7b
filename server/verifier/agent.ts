/**
 * The verifier: an agent that probes the assigned services and reports what it observes to its server. The same
 * agent runs inside the server (`built-in.ts`) and as a process of its own (`main.ts`, flags in `command-line.ts`).
 *
 * The flow, in order:
 * 1. `identity/enroll.ts` enrols a key pair with a one-time token; `identity/state.ts` stores the id and the sequence.
 * 2. `server-client/follow-assignments.ts` polls the server for the services to probe.
 * 3. `probing/prober.ts` has them probed: `probing/plan.ts` groups them by chain, so that the heads of one chain are read at
 *    nearly the same time, and `probing/schedule.ts` decides when each group is due.
 * 4. `probing/round.ts` probes a group, each service in the way of its family (`probes/run.ts`, one file a family), and waits for
 *    none of them longer than until the next round is due: a service that hangs is reported by itself;
 *    `probing/rate-limit-back-off.ts` leaves services alone that refuse probes for their rate, which are reported as not
 *    probed meanwhile; every few minutes `probing/deep-probe.ts` also compares the genesis hash and one final block of
 *    all of them.
 *    `probing/retests.ts` has a service that has just stopped answering probed again after 1, 2 and 3 s, and
 *    `probing/early-probes.ts` has one probed before its turn that somebody suspects: the relay, whose call it failed.
 *    `head-streams/head-streams.ts` listens to new heads where nodes push them, and has their chain probed sooner when one
 *    falls behind.
 * 5. `isolation/isolation-check.ts` decides whether the verifier itself was cut off, by asking canary hosts (without any:
 *    `isolation/default-canaries.ts`, the gateway and hosts on the Internet that have answered before), by what it has lost
 *    at once, and by `isolation/witnesses.ts`: other services that are probed at once where nothing has answered since the
 *    first loss.
 * 6. `delivery/buffer.ts` stores the rounds that the server has not accepted, `delivery/batch.ts` writes them in the
 *    wire format, and `delivery/delivery.ts` signs and sends them, one batch at a time.
 *
 * Failure: a service that fails is an observation and never an error of the agent. While the server is unreachable, the
 * buffer holds the last hour, at most 16 MiB, and drops the oldest rounds first; so it does while a proxy before the server
 * refuses them. Retries back off with full jitter, a resent batch keeps its sequence number, and refusals for clock skew or
 * a replay correct the clock or the number. A revoked verifier ends. A programming error ends the agent; the server starts
 * its own one again after five seconds, as often as it takes.
 *
 * Known limitations: unsent rounds live in memory and are lost when the process ends. Time is that of the server, added
 * to a monotonic clock: a verifier that has never reached its server sends the time of its own machine. A verifier whose
 * network begins to keep it from root name servers, and lets services through, takes the death of all of these for the
 * end of the network until it is restarted.
 */
import type { Assignments, Target } from '../../shared/verifier-protocol.ts'
import type { Clock } from '../platform/clock.ts'
import type { Log } from '../platform/log.ts'
import { followAssignments } from './server-client/follow-assignments.ts'
import { splitRound } from './delivery/batch.ts'
import { createRoundBuffer } from './delivery/buffer.ts'
import { createDelivery } from './delivery/delivery.ts'
import { createFinishedRounds } from './delivery/finished-rounds.ts'
import { untilAborted } from '../platform/deadline.ts'
import type { VerifierIdentity } from './identity/identity.ts'
import type { DialSocket } from './head-streams/head-stream.ts'
import { createHeadStreams } from './head-streams/head-streams.ts'
import { createIsolationCheck } from './isolation/isolation-check.ts'
import type { ProbeRunner } from './probes/run.ts'
import type { CanaryCheck } from './isolation/canary.ts'
import type { DefaultCanaryChecks } from './isolation/default-canaries.ts'
import { createProber } from './probing/prober.ts'
import type { FinishedRound } from './probing/round.ts'
import type { ServerClient } from './server-client/server-client.ts'
import { createServerTime } from './server-client/server-time.ts'
import type { StoredVerifierState } from './identity/state.ts'

export interface AgentOptions {
  serverClient: ServerClient
  runner: ProbeRunner
  /** Opens the WebSocket of a service. */
  dialFor: (target: Target) => DialSocket
  /** Tests whether a canary host that the assignments name can be reached. */
  checkCanary: CanaryCheck
  /** Test the canaries that nobody configured. */
  defaultCanaryChecks: DefaultCanaryChecks
  identity: VerifierIdentity
  state: StoredVerifierState
  clock: Clock
  /** Returns a number in [0, 1). */
  random: () => number
  log: Log
}

export type AgentEnd = { kind: 'stopped' } | { kind: 'revoked' } | { kind: 'failed'; error: unknown }

/** Probes the services that the server assigns and reports what it observes. */
export interface Agent {
  /** Starts the agent's loops. The caller calls it once. */
  start(): void
  /** Has a service probed soon, unless it is known to fail: something else than a probe suggests that it does. */
  suspect(serviceId: string): void
  /** Ends every loop at once and discards unreported rounds. Resolves when nothing runs any more. */
  stop(): Promise<void>
  /** Resolves with the reason for which the agent ended; it never rejects. */
  readonly ended: Promise<AgentEnd>
}

export function createAgent(options: AgentOptions): Agent {
  const { serverClient, clock, random, log } = options
  const serverTime = createServerTime(clock)
  const buffer = createRoundBuffer()
  const finishedRounds = createFinishedRounds()
  const stopping = new AbortController()
  const { promise: ended, resolve: end } = Promise.withResolvers<AgentEnd>()
  const prober = createProber({
    ...options,
    onFinished: finishedRounds.add,
    onBroken: (error) => fail(error, stopping.signal),
  })
  const isolationCheck = createIsolationCheck({ ...options, probeEarly: prober.suspect })
  const headStreams = createHeadStreams({
    ...options,
    onBehind: prober.bringForward,
    onUnreachable: prober.suspect,
  })
  const delivery = createDelivery({
    ...options,
    buffer,
    serverTime,
    onAccepted: (ack) => prober.slowDownTo(ack.intervalMs),
  })

  function follow(assignments: Assignments): void {
    serverTime.synchronize(assignments.serverTimeMs)
    isolationCheck.assign(assignments)
    prober.assign(assignments)
    headStreams.assign(assignments)
  }

  async function flush(signal: AbortSignal): Promise<'stopped'> {
    let unsent: FinishedRound[] = []
    while (!signal.aborted) {
      const finished = await finishedRounds.take(signal)
      unsent.push(...finished)
      const isolated = await untilAborted(isolationCheck.check(finished), signal)
      if (isolationCheck.isUnclear()) continue
      for (const part of unsent.flatMap(splitRound)) buffer.add({ ...part, isolated }, clock.monotonic())
      unsent = []
      delivery.wake()
    }
    return 'stopped'
  }

  function fail(error: unknown, signal: AbortSignal): void {
    if (signal.aborted) return // failures that a stop causes are expected
    log.error('the verifier failed', { error: String(error) })
    finish({ kind: 'failed', error })
  }

  function finish(result: AgentEnd): void {
    stopping.abort()
    headStreams.close()
    end(result)
  }

  async function run(signal: AbortSignal): Promise<void> {
    const loops = [
      followAssignments({ serverClient, clock, random, log, onAssignments: follow }, signal),
      prober.run(signal),
      flush(signal),
      delivery.run(signal),
    ]
    const watched = loops.map(async (loop) => {
      try {
        if ((await loop) === 'revoked') finish({ kind: 'revoked' })
      } catch (error) {
        fail(error, signal)
      }
    })
    await Promise.all(watched)
    finish({ kind: 'stopped' })
  }

  let running: Promise<void> | null = null
  return {
    start() {
      running = run(stopping.signal)
    },
    suspect: prober.suspect,
    async stop() {
      finish({ kind: 'stopped' })
      await running
    },
    ended,
  }
}
