import { trpc } from '../trpc.ts'

/** For operators only. */
export const plansQuery = { key: ['plans'], query: () => trpc.plans.list.query() } as const
