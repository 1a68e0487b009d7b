import type { Provider } from '../../shared/accounts.ts'
import type { ConsolePage } from '../../shared/console-pages.ts'
import { registerQuery } from '../health/service-preset.ts'
import { advisedVerifiers, verifierAdvice } from '../health/verifier-quorum.ts'

/** One thing to do on a new installation. */
export interface Step {
  readonly id: string
  readonly title: string
  readonly text: string
  readonly page: ConsolePage
  /** What has the page open its form at once. */
  readonly query?: Readonly<Record<string, string>>
  /** Null: not known, yet. */
  readonly isDone: boolean | null
}

/** How much there is already; null where that is not known. */
export interface Progress {
  readonly services: number | null
  readonly verifiers: number | null
  readonly endpoints: number | null
  readonly queryKeys: number | null
  /** Those with which somebody has called. */
  readonly usedKeys: number | null
  readonly apiKeys: number | null
  readonly identities: number
  readonly providers: Readonly<Record<Provider, boolean>> | null
}

const has = (count: number | null, wanted: number): boolean | null =>
  count === null ? null : count >= wanted

/** The way to the first call, once there is an endpoint. */
const callSteps = ({ queryKeys, usedKeys }: Progress): readonly Step[] => [
  {
    id: 'query-key',
    title: 'Create a query key',
    text: 'With it a wallet or a program calls a blockchain, within limits that you set.',
    page: 'queryKeys',
    query: { create: '1' },
    isDone: has(queryKeys, 1),
  },
  {
    id: 'first-call',
    title: 'Make the first call',
    text: 'One line of curl. A moment later it appears in your usage.',
    page: 'usage',
    isDone: has(usedKeys, 1),
  },
]

/** What everybody does besides. */
const accountSteps = ({ apiKeys, identities }: Progress): readonly Step[] => [
  {
    id: 'api-key',
    title: 'Create an API key',
    text: 'Programs use it to create query keys and to read statistics.',
    page: 'apiKeys',
    query: { create: '1' },
    isDone: has(apiKeys, 1),
  },
  {
    id: 'identity',
    title: 'Link a second way to sign in',
    text: 'With one wallet alone, a lost wallet is a lost account.',
    page: 'settings',
    isDone: identities >= 2,
  },
]

/** What whoever runs the installation does first: nothing else shows as soon that it works. */
const operatorSteps = (progress: Progress): readonly Step[] => [
  {
    id: 'endpoint',
    title: 'Create an endpoint',
    text: 'A name for the nodes of one chain: query keys are created for it.',
    page: 'endpoints',
    query: { create: '1' },
    isDone: has(progress.endpoints, 1),
  },
  ...callSteps(progress),
  {
    id: 'service',
    title: 'Register a service',
    text: 'A node, an API, a site: whatever you want to know the health of.',
    page: 'services',
    query: registerQuery({}),
    isDone: has(progress.services, 1),
  },
  {
    id: 'verifier',
    title: 'Run three verifiers',
    text: verifierAdvice,
    page: 'verifiers',
    isDone: has(progress.verifiers, advisedVerifiers),
  },
  ...accountSteps(progress),
  {
    id: 'providers',
    title: 'Set up sign-in with a provider',
    text: 'People without a wallet can then sign in by GitHub, Google or OpenID Connect.',
    page: 'settings',
    isDone: progress.providers === null ? null : Object.values(progress.providers).includes(true),
  },
]

export const firstSteps = (progress: Progress, isOperator: boolean): readonly Step[] =>
  isOperator ? operatorSteps(progress) : [...callSteps(progress), ...accountSteps(progress)]
