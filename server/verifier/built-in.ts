import manifest from '../../package.json' with { type: 'json' }
import type { Health } from '../health/health.ts'
import { systemClock } from '../platform/clock.ts'
import type { StreamingEgress } from '../platform/egress.ts'
import type { Log } from '../platform/log.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import { createSerialRuns } from '../platform/serial-runs.ts'
import { gatewayAnswers } from '../platform/default-gateway.ts'
import { type Agent, createAgent } from './agent.ts'
import { createDialFor } from './head-streams/dial.ts'
import { ensureVerifierIdentity } from './identity/identity.ts'
import { createInProcessServerClient } from './server-client/in-process-client.ts'
import { createProbeRunner } from './probes/run.ts'
import { createAddressCheck, createCanaryCheck } from './isolation/canary.ts'
import { createMemoryState } from './identity/state.ts'

/** The verifier inside the server, which the installation's file switches on and off. */
export interface BuiltInVerifier {
  switchTo(isOn: boolean): Promise<void>
  /** Says whether this process is the one that probes. Until then it is not. */
  allow(isAllowed: boolean): Promise<void>
  /** Has a service probed soon, because something else than a probe suggests that it has failed. */
  suspect(serviceId: string): void
  stop(): Promise<void>
}

interface BuiltInVerifierOptions {
  health: Pick<Health, 'suspect'> & {
    verifiers: Pick<Health['verifiers'], 'switchOnBuiltIn' | 'switchOffBuiltIn' | 'assignments' | 'reports'>
  }
  egress: StreamingEgress
  clock: SteadyClock
  log: Log
  /** The folder that holds its private key. */
  folder: string
  /** How long after its end, or after an attempt to start it, it is started again. */
  restartAfterMs?: number
}

export function createBuiltInVerifier({
  health,
  egress,
  clock,
  log,
  folder,
  restartAfterMs = 5_000,
}: BuiltInVerifierOptions): BuiltInVerifier {
  let agent: Agent | null = null
  let restart: Timer | undefined
  let verifierId: string | null = null
  let isWanted = false
  let isAllowed = false
  let isEnding = false
  const { run: settle } = createSerialRuns(async () => {
    const isOn = isWanted && isAllowed
    if (isOn && !agent) await start()
    if (!isOn) await stop()
  })

  async function start(): Promise<void> {
    const identity = await ensureVerifierIdentity(folder)
    const verifier = await health.verifiers.switchOnBuiltIn(identity.publicKey, manifest.version)
    verifierId = verifier.id
    agent = createAgent({
      serverClient: createInProcessServerClient(health.verifiers, verifier.id, identity, clock),
      runner: createProbeRunner({ egress, monotonic: systemClock.monotonic }),
      dialFor: createDialFor(egress.resolve),
      checkCanary: createCanaryCheck(egress),
      defaultCanaryChecks: { checkGateway: gatewayAnswers, checkAddress: createAddressCheck(egress) },
      identity,
      state: createMemoryState(verifier.id, verifier.lastSeq),
      clock: systemClock,
      random: Math.random,
      log,
    })
    agent.start()
    void watch(agent)
  }

  /** Restarts an agent that ended by itself: without it every service would become UNKNOWN. */
  async function watch(started: Agent): Promise<void> {
    const end = await started.ended
    if (agent !== started) return
    log.error('the built-in verifier ended; it is started again', { end: end.kind })
    await started.stop()
    if (agent !== started) return
    agent = null
    startLater()
  }

  function startLater(): void {
    restart = setTimeout(() => {
      settle().catch((error: unknown) => {
        log.error('the built-in verifier cannot start; trying again', { error })
        startLater()
      })
    }, restartAfterMs)
  }

  async function stop(): Promise<void> {
    clearTimeout(restart)
    const running = agent
    agent = null
    await running?.stop()
    // While the server ends, what the verifier saw last is valid until somebody probes again.
    if (verifierId !== null && !isEnding) health.verifiers.switchOffBuiltIn(verifierId)
    verifierId = null
  }

  return {
    switchTo(isOn) {
      isWanted = isOn
      return settle()
    },
    allow(isNow) {
      isAllowed = isNow
      return settle()
    },
    suspect: (serviceId) => (agent ?? health).suspect(serviceId),
    stop() {
      isEnding = true
      isWanted = false
      return settle()
    },
  }
}
