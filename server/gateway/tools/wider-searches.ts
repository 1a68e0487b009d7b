import { definedOf } from '../../../shared/fields.ts'
import type { NextAction } from '../../../shared/gateway.ts'
import type { SearchInput } from '../../../shared/registry.ts'
import type { RegistryQueries } from '../../registry/registry.ts'
import { searchAction } from '../next-actions.ts'

type Asked = Partial<Pick<SearchInput, 'query' | 'chain' | 'category' | 'tags' | 'filters'>>

/** Returns the searches for a question that nothing fits: each leaves out one thing that narrows it, and finds something. */
export function widerSearches(asked: Asked, registry: Pick<RegistryQueries, 'search'>): NextAction[] {
  const { category, chain, tags, filters, ...rest } = asked
  const wider: NextAction[] = []
  const add = (isNarrowed: boolean, args: Asked, reason: string): void => {
    if (isNarrowed && findsAny(args, registry)) wider.push(searchAction(definedOf(args), reason))
  }
  add(category !== undefined, { ...rest, chain, tags, filters }, 'asks the same of all categories')
  add(chain !== undefined, { ...rest, category, tags, filters }, 'asks the same of all chains')
  add(
    tags !== undefined || filters !== undefined,
    { ...rest, chain, category },
    'asks without tags and filters',
  )
  return wider
}

export function findsAny(asked: Asked, registry: Pick<RegistryQueries, 'search'>): boolean {
  const found = registry.search({ ...definedOf(asked), limit: 1 })
  return found.ok && found.value.total > 0
}
