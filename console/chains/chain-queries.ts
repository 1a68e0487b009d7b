import { trpc } from '../trpc.ts'

export const chainsQuery = { key: ['chains', 'list'], query: () => trpc.chains.list.query() } as const
export const chainFamiliesQuery = {
  key: ['chains', 'families'],
  query: () => trpc.chains.families.query(),
} as const
