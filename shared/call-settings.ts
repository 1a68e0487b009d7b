import * as z from 'zod/mini'

import { dayMs, hourMs, minuteMs, secondMs } from './durations.ts'
import { isPattern, MethodPattern } from './method-pattern.ts'
import { matching as textOf } from './text.ts'

/** Bounds of the settings below. Times are in ms. */
export const callBounds = {
  firstByteMs: { least: 50, most: 200_000 },
  totalMs: { least: 50, most: 200_000 },
  attempts: { least: 1, most: 10 },
  hedgeMs: { least: 10, most: 200_000 },
  answerBytes: { least: 1_024, most: 134_217_728 },
  bodyBytes: { least: 1_024, most: 16_777_216 },
  patterns: 100,
  transactionNodes: { least: 1, most: 5 },
  logBlocks: { least: 1, most: 1_000_000_000 },
} as const

/** What holds where an endpoint says nothing. A body holds a transaction with six blobs and their proofs. */
export const callDefaults = {
  firstByteMs: 10_000,
  totalMs: 30_000,
  attempts: 3,
  answerBytes: 33_554_432,
  bodyBytes: 5_242_880,
} as const

const within = ({ least, most }: { readonly least: number; readonly most: number }) => {
  const allowed = `a whole number from ${least} to ${most}`
  return z.int(allowed).check(z.minimum(least, allowed), z.maximum(most, allowed))
}

export const hedgePercentiles = ['p50', 'p75', 'p90', 'p95', 'p99'] as const

/** When a second node is asked for a slow read: after this share of a node's answers, after so many ms, or never. */
const hedgeText = `"off", a percentile (${hedgePercentiles.join(', ')}), or ms from ${callBounds.hedgeMs.least} to ${callBounds.hedgeMs.most}`
const Hedge = z.union(
  [
    z.enum(['off', ...hedgePercentiles]),
    z
      .int()
      .check(z.minimum(callBounds.hedgeMs.least, hedgeText), z.maximum(callBounds.hedgeMs.most, hedgeText)),
  ],
  hedgeText,
)
export type Hedge = z.infer<typeof Hedge>

/** How calls are relayed, each field for itself: what is left out is as it is otherwise. */
export const CallSettings = z.strictObject({
  firstByteMs: z.optional(within(callBounds.firstByteMs)), // how long a node may think
  totalMs: z.optional(within(callBounds.totalMs)), // all attempts together
  attempts: z.optional(within(callBounds.attempts)), // the most nodes that are asked for one read
  hedge: z.optional(Hedge),
  answerBytes: z.optional(within(callBounds.answerBytes)), // the longest answer of a node, decompressed
  bodyBytes: z.optional(within(callBounds.bodyBytes)), // the longest request of a caller, decompressed
})
export type CallSettings = z.infer<typeof CallSettings>

/** For how long answers are kept: until the endpoint is changed, or for a time. */
const CacheTime = textOf(
  /^(?:forever|[1-9]\d{0,4}[smhd])$/,
  'expected forever, or a time such as 5s, 10m, 12h or 7d',
)

/** Those of a method, or of a pattern of REST calls. */
export const MethodSettings = z.strictObject({
  ...CallSettings.shape,
  cacheFor: z.optional(CacheTime), // REST: for how long an answer with status 200 to a GET is kept
})
export type MethodSettings = z.infer<typeof MethodSettings>

const timeUnits = { s: secondMs, m: minuteMs, h: hourMs, d: dayMs } as const

/** Returns for how many ms answers are kept; 0: not at all. */
export function cacheMsOf({ cacheFor }: MethodSettings): number {
  if (cacheFor === undefined) return 0
  const unit = Object.entries(timeUnits).find(([letter]) => cacheFor.endsWith(letter))
  return unit === undefined ? Number.POSITIVE_INFINITY : Number.parseInt(cacheFor, 10) * unit[1]
}

const byMethod = z.record(MethodPattern, MethodSettings).check(
  z.refine((settings) => Object.keys(settings).length <= callBounds.patterns, {
    error: `at most ${callBounds.patterns} methods and beginnings`,
  }),
)

/** Those of an endpoint: for all its calls, and for methods or beginnings of methods. The narrower one wins. */
export const EndpointSettings = z.strictObject({
  ...CallSettings.shape,
  cache: z.optional(z.enum(['all', 'final', 'off'])), // which results are kept: `final` only those that stay
  transactionNodes: z.optional(within(callBounds.transactionNodes)), // how many get a transaction at once
  logBlocks: z.optional(within(callBounds.logBlocks)), // the most blocks that its nodes answer a call for logs of
  byMethod: z._default(byMethod, {}),
})
export type EndpointSettings = z.infer<typeof EndpointSettings>

/** Returns what an endpoint sets for a method: a name before a beginning, a longer beginning before a shorter one. */
export function callSettingsOf(
  { byMethod: narrower, ...ofEndpoint }: EndpointSettings,
  method: string,
): MethodSettings {
  const matching = Object.keys(narrower)
    .filter((pattern) => (isPattern(pattern) ? method.startsWith(pattern.slice(0, -1)) : method === pattern))
    .toSorted((one, other) => widthOf(one) - widthOf(other))
  return Object.assign({}, ofEndpoint, ...matching.map((pattern) => narrower[pattern]))
}

/** Narrower patterns have a larger number; a name is narrower than each beginning of it. */
const widthOf = (pattern: string): number => (isPattern(pattern) ? pattern.length - 1 : pattern.length + 1)

/** How long the requests of an endpoint may be: all of them, and those of some methods. */
export interface BodyBounds {
  readonly all: number
  readonly some: number
}

export function bodyBoundsOf({ bodyBytes, byMethod: narrower }: EndpointSettings): BodyBounds {
  const each = [bodyBytes ?? callDefaults.bodyBytes]
  for (const own of Object.values(narrower)) if (own.bodyBytes !== undefined) each.push(own.bodyBytes)
  return { all: Math.min(...each), some: Math.max(...each) }
}

/** A setting that does not go together with another one. */
export interface SettingProblem {
  readonly path: string[]
  readonly message: string
}

/** Returns the settings of an endpoint that cannot all hold, each by the field that is to be changed. */
export function settingProblems(settings: EndpointSettings): SettingProblem[] {
  const { byMethod: narrower, ...ofEndpoint } = settings
  const ofPatterns = Object.entries(narrower).flatMap(([pattern, own]) =>
    problemsOf(own, { ...ofEndpoint, ...own }).map(({ path, message }) => ({
      path: ['byMethod', pattern, ...path],
      message,
    })),
  )
  return [...problemsOf(ofEndpoint, ofEndpoint), ...ofPatterns, ...cacheProblems(narrower)]
}

/** Only what is read by its path can be kept by a rule: of JSON-RPC the tables of methods know more. */
const cacheProblems = (narrower: EndpointSettings['byMethod']): SettingProblem[] =>
  Object.entries(narrower).flatMap(([pattern, { cacheFor }]) =>
    cacheFor === undefined || pattern.startsWith('GET ')
      ? []
      : [
          {
            path: ['byMethod', pattern, 'cacheFor'],
            message: 'cacheFor is for paths that are read, such as GET /eth/v1/beacon/genesis',
          },
        ],
  )

/** `own`: what is said at this place, `all`: what holds there. Built-in times give way to those that were set. */
function problemsOf(own: CallSettings, all: CallSettings): SettingProblem[] {
  const { firstByteMs, hedge } = all
  const totalMs = all.totalMs ?? callDefaults.totalMs
  const waitMs = Math.min(firstByteMs ?? callDefaults.firstByteMs, totalMs)
  const problems: SettingProblem[] = []
  const say = (fields: readonly (keyof CallSettings)[], message: string): void => {
    const field = fields.find((each) => own[each] !== undefined)
    if (field !== undefined) problems.push({ path: [field], message })
  }
  if (firstByteMs !== undefined && firstByteMs > totalMs)
    say(['firstByteMs', 'totalMs'], `firstByteMs (${firstByteMs}) is longer than totalMs (${totalMs})`)
  if (typeof hedge === 'number' && hedge >= totalMs)
    say(['hedge', 'totalMs'], `hedge (${hedge}) is not shorter than totalMs (${totalMs})`)
  else if (typeof hedge === 'number' && hedge >= waitMs)
    say(
      ['hedge', 'firstByteMs'],
      `hedge (${hedge}) is not shorter than firstByteMs (${waitMs}), so it never happens`,
    )
  if (hedge !== undefined && hedge !== 'off' && all.attempts === 1)
    say(['hedge', 'attempts'], 'hedge asks a second node, and attempts is 1')
  return problems
}
