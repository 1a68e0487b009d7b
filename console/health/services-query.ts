import { trpc } from '../trpc.ts'

/** All services with their decisions, for everybody who is signed in. */
export const servicesQuery = { key: ['services'], query: () => trpc.services.list.query() } as const
