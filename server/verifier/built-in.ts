import manifest from '../../package.json' with { type: 'json' }
import type { Health } from '../health/health.ts'
import { systemClock } from '../platform/clock.ts'
import type { Egress } from '../platform/egress.ts'
import type { Log } from '../platform/log.ts'
import type { SteadyClock } from '../platform/steady-clock.ts'
import { createAgent } from './agent.ts'
import type { Agent } from './agent.ts'
import { ensureIdentity } from './identity.ts'
import { createLocalLink } from './local-link.ts'
import { createProbeRunner } from './probes/run.ts'
import { createReach } from './reach.ts'
import { createMemoryState } from './state.ts'

/** The verifier inside the server, switched on and off by the file. */
export interface BuiltInVerifier {
  switchTo(isOn: boolean): Promise<void>
  stop(): Promise<void>
}

interface BuiltInVerifierOptions {
  health: Health
  egress: Egress
  clock: SteadyClock
  log: Log
  /** Where its key lives. */
  folder: string
}

const restartAfterMs = 5_000

export function createBuiltInVerifier({
  health,
  egress,
  clock,
  log,
  folder,
}: BuiltInVerifierOptions): BuiltInVerifier {
  let agent: Agent | null = null
  let restart: Timer | undefined
  let verifierId: string | null = null

  async function start(): Promise<void> {
    const identity = await ensureIdentity(folder)
    const verifier = await health.verifiers.switchOnBuiltIn(identity.publicKey, manifest.version)
    verifierId = verifier.id
    agent = createAgent({
      link: createLocalLink(health.verifiers, verifier.id, identity, clock),
      runner: createProbeRunner({ egress, monotonic: systemClock.monotonic }),
      reach: createReach(egress),
      identity,
      state: createMemoryState(verifier.id, verifier.lastSeq),
      clock: systemClock,
      random: Math.random,
      log,
    })
    agent.start()
    void watch(agent)
  }

  /** An agent that ends by itself is started anew: without it nothing would be known any more. */
  async function watch(started: Agent): Promise<void> {
    const end = await started.ended
    if (agent !== started) return
    log.error('the built-in verifier ended; it is started again', { end: end.kind })
    await started.stop()
    restart = setTimeout(() => {
      start().catch((error: unknown) => log.error('the built-in verifier cannot start', { error }))
    }, restartAfterMs)
  }

  async function stop(): Promise<void> {
    clearTimeout(restart)
    const running = agent
    agent = null
    await running?.stop()
    if (verifierId !== null) health.verifiers.switchOffBuiltIn(verifierId)
    verifierId = null
  }

  return {
    async switchTo(isOn) {
      if (isOn && !agent) await start()
      if (!isOn) await stop()
    },
    stop,
  }
}
