import type { FilterQuestion } from '../../shared/registry.ts'
import { trpc } from '../trpc.ts'
import { searchOf } from './registry-view.ts'
import type { RegistryView, ServicePlace } from './registry-view.ts'

/** Everything of a registry: another import makes all of it old. */
export const registryKey = ['registry'] as const

export const networksQuery = {
  key: [...registryKey, 'networks'],
  query: () => trpc.registry.networks.query(),
}

export const statusQuery = { key: [...registryKey, 'status'], query: () => trpc.registry.status.query() }

export const allCategoriesQuery = {
  key: [...registryKey, 'all-categories'],
  query: () => trpc.registry.allCategories.query(),
}

export const registeredToolServersQuery = {
  key: [...registryKey, 'tool-servers'],
  query: () => trpc.registry.mcpServers.query({}),
}

export const categoriesQuery = (chain: string) => ({
  key: [...registryKey, 'categories', chain],
  query: () => trpc.registry.categories.query({ chain }),
})

/** For operators: what an endpoint of a network can be made of. */
export const publicNodesQuery = (chain: string) => ({
  key: [...registryKey, 'public-nodes', chain],
  query: () => trpc.registry.publicNodes.query({ chain }),
})

export const filtersQuery = (question: FilterQuestion) => ({
  key: [...registryKey, 'filters', question.chain ?? '', question.category ?? ''],
  query: () => trpc.registry.filters.query(question),
})

export function searchQuery(view: RegistryView) {
  const question = searchOf(view)
  return {
    key: [...registryKey, 'search', JSON.stringify(question)],
    query: () => trpc.registry.search.query(question),
    keepsLast: true,
  }
}

export const serviceQuery = ({ id, chain }: ServicePlace) => ({
  key: [...registryKey, 'service', id, chain],
  query: () => trpc.registry.service.query({ serviceId: id, ...(chain !== '' && { chain }) }),
})

export const problemsQuery = {
  key: [...registryKey, 'problems'],
  query: () => trpc.registry.problems.query(),
}
