import { trpc } from '../trpc.ts'

/** For operators only, as the others here. */
export const endpointsQuery = { key: ['endpoints'], query: () => trpc.endpoints.list.query() } as const

/** Of what is known of single endpoints. */
export const oneEndpointKey = ['endpoint'] as const

export const endpointDetailsQuery = (name: string) => ({
  key: [...oneEndpointKey, name, 'details'],
  query: () => trpc.endpoints.details.query({ name }),
})

/** How many query keys are for it, of all accounts together. */
export const endpointKeyCountQuery = (name: string) => ({
  key: [...oneEndpointKey, name, 'key-count'],
  query: () => trpc.endpoints.keyCount.query({ name }),
  staleTime: 0,
})

/** The methods that are known for the nodes of a chain. They change with releases only. */
export const knownMethodsQuery = (chain: string) => ({
  key: ['known-methods', chain],
  query: () => trpc.endpoints.methods.query({ chain }),
})

export const endpointPricesQuery = (name: string) => ({
  key: [...oneEndpointKey, name, 'prices'],
  query: () => trpc.endpoints.prices.query({ name }),
})
