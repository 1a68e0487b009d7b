import type { Chain, Family } from '../../shared/chains.ts'
import type { Target } from '../../shared/verifier-protocol.ts'
import { systemClock } from '../../server/platform/clock.ts'
import { createEgress } from '../../server/platform/egress.ts'
import { createProbeRunner } from '../../server/verifier/probes/run.ts'
import type { ProbeRunner } from '../../server/verifier/probes/run.ts'

/** A probe runner that may reach the loopback, over the real guarded fetch. */
export function startLoopbackRunner(): { runner: ProbeRunner; close(): void } {
  const egress = createEgress({
    clock: systemClock,
    schemes: ['http', 'https'],
    allowPrivate: ['127.0.0.0/8'],
  })
  return {
    runner: createProbeRunner({ egress, monotonic: systemClock.monotonic }),
    close: () => egress.close(),
  }
}

/** A service to probe. Patient unless a test is about time-outs, because test machines are busy. */
export function probeTargetOf(family: Family, endpoint: string, changes: Partial<Target> = {}): Target {
  return {
    serviceId: `${family}-service`,
    chain: null,
    provider: 'acme',
    family,
    endpoint,
    hidden: false,
    policy: {
      intervalMs: 1000,
      timeoutMs: 5000,
      enterBlocks: 5,
      enterSec: 5,
      maxRttMs: null,
      deepIntervalMs: 60_000,
      rateLimitedIs: 'bad',
    },
    ...changes,
  }
}

/** The same service with less patience. */
export const impatient = (target: Target, timeoutMs: number): Target => ({
  ...target,
  policy: { ...target.policy, timeoutMs },
})

export function chainOf(family: Family, chainId: Chain['chainId']): Chain {
  return {
    key: 'testnet',
    name: 'Testnet',
    family,
    chainId,
    genesisHash: null,
    blockMs: 1000,
    futureTolSec: 15,
    headAge: 'none',
    finalityDepth: 10,
    anchors: [],
  }
}
