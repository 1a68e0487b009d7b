import { trpc } from '../trpc.ts'
import type { RouterAnswers } from '../trpc.ts'

export type ListedVerifier = RouterAnswers['verifiers']['list'][number]

/** For operators only. */
export const verifiersQuery = { key: ['verifiers'], query: () => trpc.verifiers.list.query() } as const

/** Tokens that were made and not used yet. For operators only. */
export const verifierTokensQuery = {
  key: ['verifier-tokens'],
  query: () => trpc.verifiers.tokens.query(),
} as const
