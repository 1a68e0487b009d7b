import { definedOf } from '../../../shared/fields.ts'
import { type Chain, type Family, isChainless } from '../../../shared/chains.ts'
import type { Policy, PolicyOverrides } from '../../../shared/health.ts'

const defaultIntervalMs = 10_000
const maxTimeoutMs = 4_000
const chainlessMaxRttMs = 3_000

const minEnterMs = 30_000
const usualEnterBlocks = 5
const slowEnterBlocks = 3
const slowEnterMs = 1_800_000

type Thresholds = Pick<Policy, 'enterBlocks' | 'enterSec'>

/** Valid thresholds for services without a head, which have no lag. */
const chainlessThresholds: Thresholds = { enterBlocks: usualEnterBlocks, enterSec: minEnterMs / 1000 }

/**
 * Lag that is LATENCY, from the block time: five blocks, but at least 30 s and at most half an hour, and in
 * any case three blocks. Gives every row of the design's table.
 */
function lagThresholds(blockMs: number): Thresholds {
  const longestMs = Math.max(slowEnterMs, slowEnterBlocks * blockMs)
  const enterMs = Math.max(minEnterMs, Math.min(usualEnterBlocks * blockMs, longestMs))
  return { enterBlocks: Math.ceil(enterMs / blockMs), enterSec: Math.ceil(enterMs / 1000) }
}

/** A verifier gathers a second of rounds before it sends them, and the server evaluates once a second. */
const deliveryMs = 2_000

/** Returns how long (ms) a report must count at least: with less, a late round or two would cost a service its quorum. */
const minFreshMs = (intervalMs: number): number => 3 * intervalMs + deliveryMs

const minSilentMs = 30_000

/**
 * Returns after which time (ms) a verifier is silent whose most demanding service is probed in this interval. It has missed
 * two rounds by then, and its reports are about to count no more (`minFreshMs`): if they cost a quorum, the cause is known.
 */
export const silentAfterMs = (intervalMs: number): number =>
  Math.max(minSilentMs, Math.ceil(2.5 * intervalMs))

/** Returns the policy of a service without any overrides. `chain` is null for the families that read no head. */
export function defaultPolicy(
  chain: Pick<Chain, 'blockMs'> | null,
  family: Family,
  intervalMs: number = defaultIntervalMs,
): Policy {
  return {
    intervalMs,
    // A probe and its one retry fit into a round; the longest is above what `maxRttMs` has to measure.
    timeoutMs: Math.min(maxTimeoutMs, Math.max(100, Math.floor(intervalMs / 2))),
    freshMs: minFreshMs(intervalMs),
    minLive: null,
    quorum: 'majority',
    ...(chain === null ? chainlessThresholds : lagThresholds(chain.blockMs)),
    exitRatio: 0.5,
    staleFactor: 20,
    maxAgeMs: 900_000,
    // A slow far region is not a lagging node: round trips matter only where nothing else does.
    maxRttMs: isChainless(family) ? chainlessMaxRttMs : null,
    downForMs: 20_000,
    latencyForMs: 30_000,
    upForMs: 30_000,
    maxUpForMs: 300_000,
    flapWindowMs: 1_800_000,
    deepIntervalMs: 300_000,
    rateLimitedIs: 'bad',
  }
}

/** Returns the effective policy: the service's overrides, else those of its chain, else the default from the block time. */
export function resolvePolicy(
  chain: Pick<Chain, 'blockMs'> | null,
  family: Family,
  serviceOverrides: PolicyOverrides,
  chainOverrides: PolicyOverrides = {},
): Policy {
  const overrides = { ...definedOf(chainOverrides), ...definedOf(serviceOverrides) }
  return { ...defaultPolicy(chain, family, overrides.intervalMs), ...overrides }
}

/** A setting that makes no sense beside the others. */
export interface PolicyProblem {
  readonly setting: keyof Policy
  readonly message: string
}

/** What one setting may be beside the others. */
interface Consistency {
  readonly setting: 'freshMs' | 'timeoutMs' | 'maxUpForMs' | 'deepIntervalMs'
  /** Returns the value that is given, or the nearest one that is allowed. */
  readonly nearest: (policy: Policy) => number
  /** Returns what is allowed, for whoever gave something else. */
  readonly allowed: (policy: Policy) => string
}

const consistencies: readonly Consistency[] = [
  {
    setting: 'freshMs',
    nearest: ({ freshMs, intervalMs }) => Math.max(freshMs, minFreshMs(intervalMs)),
    allowed: ({ intervalMs }) =>
      `at least ${minFreshMs(intervalMs)}: three intervals of ${intervalMs} ms and ${deliveryMs} ms for the way`,
  },
  {
    setting: 'timeoutMs',
    nearest: ({ timeoutMs, intervalMs }) => Math.min(timeoutMs, intervalMs),
    allowed: ({ intervalMs }) => `at most the interval of ${intervalMs}, in which a probe must end`,
  },
  {
    setting: 'maxUpForMs',
    nearest: ({ maxUpForMs, upForMs }) => Math.max(maxUpForMs, upForMs),
    allowed: ({ upForMs }) => `at least upForMs (${upForMs}), of which it is the bound`,
  },
  {
    setting: 'deepIntervalMs',
    nearest: ({ deepIntervalMs, intervalMs }) => Math.max(deepIntervalMs, intervalMs),
    allowed: ({ intervalMs }) => `at least the interval of ${intervalMs}`,
  },
]

/** Returns the first setting that contradicts another, with what is allowed; null where none does. */
export function policyProblem(policy: Policy): PolicyProblem | null {
  const broken = consistencies.find(({ setting, nearest }) => nearest(policy) !== policy[setting])
  return broken === undefined ? null : { setting: broken.setting, message: broken.allowed(policy) }
}

/** Returns the policy without contradictions. Services that an older version accepted have to work as well as they can. */
export const withoutContradictions = (policy: Policy): Policy => ({
  ...policy,
  ...Object.fromEntries(consistencies.map(({ setting, nearest }) => [setting, nearest(policy)])),
})
