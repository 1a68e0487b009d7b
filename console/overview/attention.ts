import type { ConsolePage } from '../../shared/console-pages.ts'
import type { EndpointListItem } from '../../shared/endpoints.ts'
import type { Decision } from '../../shared/health.ts'
import type { OperationView } from '../../shared/installation.ts'
import type { UsageNumbers } from '../../shared/usage.ts'
import { endpointState, endpointStateWords } from '../endpoints/endpoint-state.ts'
import { wantsConsent } from '../gateway/connection-words.ts'
import type { ListedConnection } from '../gateway/gateway-queries.ts'
import { verifierState, verifierStates } from '../../shared/verifier-state.ts'
import type { Seen, VerifierCondition } from '../../shared/verifier-state.ts'
import { isTroubled, verifierStateWords } from '../health/verifier-state.ts'
import { filterKeyList, wholeKeyList } from '../keys/key-list-view.ts'
import type { StateChoice } from '../keys/key-list-view.ts'
import type { KeyView } from '../keys/key-view.ts'
import type { Tone } from '../ui/tone.ts'
import { rowsWith } from '../usage/usage-rows.ts'

/** Something to look after, and the list of what it is about. */
export interface Concern {
  readonly id: string
  readonly tone: Tone
  /** One sentence; where there may be many of a kind, it begins with their number. */
  readonly text: string
  readonly page: ConsolePage
  /** Of a page about one thing. */
  readonly params?: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  /** Before all others: somebody waits for an answer, or what is set is not active. */
  readonly comesFirst?: true
}

type Words = readonly [one: string, many: string]

const sentence = (count: number, [one, many]: Words): string =>
  `${new Intl.NumberFormat('en').format(count)} ${count === 1 ? one : many}`

const decisionWords: Readonly<Record<Exclude<Decision, 'UP'>, { tone: Tone; words: Words }>> = {
  DOWN: { tone: 'bad', words: ['service is DOWN', 'services are DOWN'] },
  UNKNOWN: {
    tone: 'warn',
    words: ['service is UNKNOWN: too few verifiers report', 'services are UNKNOWN: too few verifiers report'],
  },
  LATENCY: { tone: 'warn', words: ['service is behind or slow', 'services are behind or slow'] },
}

/** Services that are not UP, the worst first. */
export const serviceConcerns = (counts: Readonly<Record<Decision, number>>): readonly Concern[] =>
  (['DOWN', 'UNKNOWN', 'LATENCY'] as const)
    .filter((decision) => counts[decision] > 0)
    .map((decision) => ({
      id: `services-${decision}`,
      tone: decisionWords[decision].tone,
      text: sentence(counts[decision], decisionWords[decision].words),
      page: 'services',
      query: { decision },
    }))

const keyWords: readonly (readonly [state: StateChoice, tone: Tone, one: string, many: string])[] = [
  ['expiring', 'warn', 'key expires within 14 days', 'keys expire within 14 days'],
  ['expired', 'info', 'key has expired', 'keys have expired'],
  ['unused', 'info', 'key was never used', 'keys were never used'],
]

/** Kinds of keys, and the page of each. */
const keyKinds = {
  API: 'apiKeys',
  query: 'queryKeys',
} as const satisfies Record<string, ConsolePage>

/**
 * Keys of one kind that end soon, have ended, or that nobody seems to need. `now` in epoch ms. Not those that end soon where
 * alerts tell of each of them (`alerted`, ids).
 */
export const keyConcerns = (
  kind: keyof typeof keyKinds,
  keys: readonly KeyView[],
  now: number,
  alerted: ReadonlySet<string> = new Set(),
): readonly Concern[] =>
  keyWords.flatMap(([state, tone, one, many]) => {
    const found = filterKeyList(keys, { ...wholeKeyList, state }, now, () => '')
    if (state === 'expiring' && found.every(({ id }) => alerted.has(id))) return []
    const { length } = found
    if (length === 0) return []
    const text = sentence(length, [`${kind} ${one}`, `${kind} ${many}`])
    return { id: `${keyKinds[kind]}-${state}`, tone, text, page: keyKinds[kind], query: { state } }
  })

/** What of the installation's own settings keeps it from working as it should. */
export const installationConcerns = (operation: OperationView): readonly Concern[] => [
  ...fileConcerns(operation.file),
  ...proxyConcerns(operation.unnamedProxy),
  ...(operation.isClockWrong ? [wrongClock] : []),
  ...backupConcerns(operation.backups),
]

/** What stands in a refused file is not active, whatever else this page says. */
function fileConcerns({ path, problems }: OperationView['file']): readonly Concern[] {
  const [first] = problems
  if (first === undefined) return []
  const more = problems.length > 1 ? `, and ${problems.length - 1} more` : ''
  const text = `${path} is refused, so that its last good version stays active: ${first}${more}`
  return [{ id: 'file', tone: 'bad', text, page: 'settings', query: {}, comesFirst: true }]
}

const wrongClock: Concern = {
  id: 'wrong-clock',
  tone: 'warn',
  text: '1 process has a clock that is more than 5 seconds from that of the database: set it by NTP. Others decide about health meanwhile',
  page: 'settings',
  query: {},
}

function proxyConcerns(unnamedProxy: OperationView['unnamedProxy']): readonly Concern[] {
  if (unnamedProxy === null) return []
  const { address, setting } = unnamedProxy
  const text = `1 proxy is not trusted, so that all its visitors count as one: if ${address} is yours, set ${setting}`
  return [{ id: 'unnamed-proxy', tone: 'warn', text, page: 'settings', query: {} }]
}

function backupConcerns(backups: OperationView['backups']): readonly Concern[] {
  if (backups === null || (backups.failure === null && !backups.isOld)) return []
  const text =
    backups.failure === null
      ? '0 backups were made lately, although the server is to make them'
      : `1 backup failed: ${backups.failure}`
  return [{ id: 'backups', tone: 'bad', text, page: 'settings', query: {} }]
}

const refusedWords: Words = [
  'query key reached a limit in the last 24 hours',
  'query keys reached a limit in the last 24 hours',
]

/** Keys of which calls were refused by a limit, in the usage of the last 24 hours. */
export function refusalConcerns(rows: readonly UsageNumbers[]): readonly Concern[] {
  const { length } = rowsWith(rows, 'refused')
  if (length === 0) return []
  const text = sentence(length, refusedWords)
  return [{ id: 'limits-reached', tone: 'warn', text, page: 'usage', query: { only: 'refused' } }]
}

const endpointWords = {
  broken: ['endpoint cannot answer', 'endpoints cannot answer'],
  impaired: ['endpoint is impaired', 'endpoints are impaired'],
} as const satisfies Record<string, Words>

/** Endpoints with upstreams that are DOWN, or not used. */
export const endpointConcerns = (endpoints: readonly EndpointListItem[]): readonly Concern[] =>
  (['broken', 'impaired'] as const).flatMap((state) => {
    const { length } = endpoints.filter((endpoint) => endpointState(endpoint) === state)
    if (length === 0) return []
    const text = sentence(length, endpointWords[state])
    return {
      id: `endpoints-${state}`,
      tone: endpointStateWords[state].tone,
      text,
      page: 'endpoints',
      query: { state },
    }
  })

const verifierWords: Readonly<Record<VerifierCondition, Words>> = {
  silent: ['verifier is silent', 'verifiers are silent'],
  'set aside': [
    'verifier is set aside after three days of silence',
    'verifiers are set aside after three days of silence',
  ],
  isolated: ['verifier is cut off from its network', 'verifiers are cut off from their networks'],
  ejected: ['verifier contradicts the others', 'verifiers contradict the others'],
  stale: ['verifier is served old blocks', 'verifiers are served old blocks'],
  new: ['verifier has not reported yet', 'verifiers have not reported yet'],
  reporting: ['verifier reports', 'verifiers report'],
}

/** Of these states alerts tell. */
const alertedStates: ReadonlySet<VerifierCondition> = new Set(['silent', 'isolated'])

/**
 * Verifiers whose votes are missing, or not to be trusted as they are. `now` in epoch ms. Not those that are silent or cut off
 * where alerts tell of each of them (`alerted`, ids).
 */
export const verifierConcerns = (
  verifiers: readonly (Seen & { readonly id: string })[],
  now: number,
  alerted: ReadonlySet<string> = new Set(),
): readonly Concern[] =>
  verifierStates.filter(isTroubled).flatMap((state) => {
    const found = verifiers.filter((verifier) => verifierState(verifier, now) === state)
    if (alertedStates.has(state) && found.every(({ id }) => alerted.has(id))) return []
    const { length } = found
    if (length === 0) return []
    const { tone } = verifierStateWords[state]
    const text = sentence(length, verifierWords[state])
    return { id: `verifiers-${state}`, tone, text, page: 'verifiers', query: { state } }
  })

const waitingWords: Words = ['account waits for your approval', 'accounts wait for your approval']

/** People who signed in for the first time, and can do nothing until an operator lets them in. */
export const approvalConcerns = (count: number): readonly Concern[] =>
  count === 0
    ? []
    : [
        {
          id: 'accounts-pending',
          tone: 'warn',
          text: sentence(count, waitingWords),
          page: 'accounts',
          query: {},
          comesFirst: true,
        },
      ]

const reusedWords: Words = [
  'agent was shut out: a token of it was used twice, and perhaps stolen',
  'agents were shut out: tokens of them were used twice, and perhaps stolen',
]

/** Agents of which somebody showed a refresh token that had been used before. */
export const reusedTokenConcerns = (count: number): readonly Concern[] =>
  count === 0
    ? []
    : [
        {
          id: 'agents-reused',
          tone: 'bad',
          text: sentence(count, reusedWords),
          page: 'gateway',
          query: { tab: 'agents' },
        },
      ]

const consentWords: Words = [
  'connection waits for you to agree at its tool server',
  'connections wait for you to agree at their tool servers',
]

/** Connections by OAuth that are good for nothing, or not for all, before their owner agrees. */
export function consentConcerns(
  connections: readonly Pick<ListedConnection, 'status' | 'oauth'>[],
): readonly Concern[] {
  const { length } = connections.filter(wantsConsent)
  if (length === 0) return []
  const text = sentence(length, consentWords)
  return [{ id: 'connections-consent', tone: 'warn', text, page: 'gateway', query: { tab: 'connections' } }]
}

const pressing: readonly Tone[] = ['bad', 'warn', 'info', 'plain', 'ok']

const urgency = ({ tone, comesFirst }: Concern): number =>
  pressing.indexOf(tone) - (comesFirst ? pressing.length : 0)

/** Those that are as pressing as each other in the given order. */
export const mostPressingFirst = (concerns: readonly Concern[]): readonly Concern[] =>
  concerns.toSorted((one, other) => urgency(one) - urgency(other))

/** Where concerns come from: each source is read, and may fail, on its own. */
export interface ConcernSource {
  readonly title: string
  /** Null while they are read for the first time. */
  readonly concerns: readonly Concern[] | null
  /** Why they could not be read. */
  readonly error: string | null
  readonly retry: () => unknown
}
