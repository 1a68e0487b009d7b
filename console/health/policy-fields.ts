import type { Policy, PolicyOverrides } from '../../shared/health.ts'
import { counted, duration } from './quantities.ts'

/** How a threshold is shown and typed. Durations are typed in seconds, whatever the server counts in. */
export interface PolicyField {
  readonly key: keyof Policy
  readonly title: string
  readonly hint: string
  readonly kind: 'milliseconds' | 'seconds' | 'blocks' | 'number' | 'choice'
  /** For `choice`. */
  readonly choices?: readonly { readonly value: string; readonly label: string }[]
  /** What null means, where it is allowed. */
  readonly none?: string
}

const field = (
  key: PolicyField['key'],
  kind: PolicyField['kind'],
  title: string,
  hint: string,
  more: Pick<PolicyField, 'choices' | 'none'> = {},
): PolicyField => ({ key, kind, title, hint, ...more })

/** Every threshold, the most often changed first. */
export const policyFields: readonly PolicyField[] = [
  field(
    'enterBlocks',
    'blocks',
    'Blocks behind',
    'More blocks behind the reference head than this are LATENCY.',
  ),
  field('enterSec', 'seconds', 'Time behind', 'Further behind in time than this is LATENCY.'),
  field('maxRttMs', 'milliseconds', 'Slowest answer', 'Slower answers are LATENCY.', {
    none: 'never matters',
  }),
  field(
    'intervalMs',
    'milliseconds',
    'Interval',
    'How often each verifier probes. Services of a chain are probed together, as often as the most demanding of them asks.',
  ),
  field('timeoutMs', 'milliseconds', 'Timeout', 'How long a probe waits for its answer.'),
  field('freshMs', 'milliseconds', 'Freshness', 'Older reports do not count.'),
  field('downForMs', 'milliseconds', 'Hold before DOWN', 'How long it must be bad before it is called DOWN.'),
  field(
    'latencyForMs',
    'milliseconds',
    'Hold before LATENCY',
    'How long it must lag before it is called LATENCY.',
  ),
  field('upForMs', 'milliseconds', 'Hold before recovery', 'How long it must be better before that is said.'),
  field(
    'maxUpForMs',
    'milliseconds',
    'Longest hold',
    'The hold before recovery doubles with each relapse, up to this.',
  ),
  field('flapWindowMs', 'milliseconds', 'Relapses count for', 'For how long a relapse is remembered.'),
  field('quorum', 'choice', 'Quorum', 'How many of the assigned verifiers must report.', {
    choices: [
      { value: 'majority', label: 'A majority' },
      { value: 'bft', label: 'Two thirds' },
    ],
  }),
  field('minLive', 'number', 'Verifiers needed', 'In place of the quorum.', { none: 'as the quorum says' }),
  field(
    'exitRatio',
    'number',
    'Share to recover',
    'Until it is UP again, thresholds shrink to this share (0 to 1).',
  ),
  field('staleFactor', 'number', 'Hopeless at', 'This many times a threshold is as bad as no answer.'),
  field(
    'maxAgeMs',
    'milliseconds',
    'Oldest block',
    'Of a subgraph whose chain is not watched: an older block is behind.',
  ),
  field('deepIntervalMs', 'milliseconds', 'Identity checked every', 'Chain, first block and forks.'),
  field('rateLimitedIs', 'choice', 'A rate-limited probe is', 'What an answer with status 429 counts as.', {
    choices: [
      { value: 'bad', label: 'A failure' },
      { value: 'ok', label: 'No failure' },
    ],
  }),
]

/** A threshold in words: `30 s`, `5 blocks`, `A majority`. */
export function policyText({ key, kind, choices, none }: PolicyField, policy: Policy): string {
  const value = policy[key]
  if (value === null) return none ?? '–'
  if (typeof value === 'string') return choices?.find((choice) => choice.value === value)?.label ?? value
  switch (kind) {
    case 'milliseconds':
      return value < 1_000 && value > 0 ? `${value} ms` : duration(value)
    case 'seconds':
      return duration(value * 1_000)
    case 'blocks':
      return counted(value, 'block')
    default:
      return String(value)
  }
}

/** What was typed for each threshold; the empty text leaves it to its default. */
export type PolicyTexts = Readonly<Record<keyof Policy, string>>

/** The text of a field whose value is null. */
export const noneText = 'none'

export function policyTexts(overrides: PolicyOverrides): PolicyTexts {
  const texts = policyFields.map(({ key, kind }) => [key, textOf(overrides[key], kind)])
  return Object.fromEntries(texts)
}

function textOf(value: Policy[keyof Policy] | undefined, kind: PolicyField['kind']): string {
  if (value === undefined) return ''
  if (value === null) return noneText
  return String(kind === 'milliseconds' && typeof value === 'number' ? value / 1_000 : value)
}

export type ReadPolicy =
  | { readonly kind: 'policy'; readonly policy: PolicyOverrides }
  | { readonly kind: 'wrong'; readonly errors: Readonly<Record<string, string>> }

/** Reads the typed thresholds; whether they are allowed is for the server to say. Errors by `policy.<key>`. */
export function readPolicy(texts: PolicyTexts): ReadPolicy {
  const policy: Record<string, string | number | null> = {}
  const errors: Record<string, string> = {}
  for (const { key, kind, none } of policyFields) {
    const text = texts[key].trim()
    if (text === '') continue
    const number = Number(text.replace(',', '.'))
    if (kind === 'choice') policy[key] = text
    else if (text === noneText && none !== undefined) policy[key] = null
    else if (Number.isFinite(number))
      policy[key] = kind === 'milliseconds' ? Math.round(number * 1_000) : number
    else errors[`policy.${key}`] = 'A number, please.'
  }
  return Object.keys(errors).length > 0 ? { kind: 'wrong', errors } : { kind: 'policy', policy }
}
