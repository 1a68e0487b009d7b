import type { NextAction } from '../../shared/gateway.ts'
import { type Fields, isFields } from '../../shared/fields.ts'
import { type RegistryRefusal, searchLimits } from '../../shared/registry.ts'
import type { RegistryQueries } from '../registry/registry.ts'
import { searchAction } from './next-actions.ts'

/** Where in the arguments something was refused. */
export type RefusedPaths = readonly (readonly PropertyKey[])[]

type Bounds = Readonly<Record<string, readonly [least: number, most: number]>>

/** Returns arguments without what was refused; a number out of its bounds is the bound. */
export function withoutRefused(given: Fields, refused: RefusedPaths, bounds: Bounds): Fields {
  const kept: Record<string, unknown> = { ...given }
  for (const [field, key] of refused) {
    const name = String(field)
    const value = kept[name]
    const range = bounds[name]
    if (range !== undefined && typeof value === 'number' && Number.isFinite(value)) {
      kept[name] = Math.min(range[1], Math.max(range[0], Math.round(value)))
    } else if (key !== undefined && isFields(value)) {
      kept[name] = Object.fromEntries(Object.entries(value).filter(([other]) => other !== String(key)))
    } else delete kept[name]
  }
  return kept
}

/** A question with more mistakes than these is begun anew. */
const maxMistakes = 8

const searchFields: ReadonlySet<string> = new Set([
  'query',
  'chain',
  'category',
  'tags',
  'filters',
  'limit',
  'offset',
])
const searchBounds = { limit: [1, searchLimits.maxLimit], offset: [0, searchLimits.maxOffset] } as const

/** Returns the search that was refused, corrected: one that is answered. Null where there is none. */
export function correctedSearch(
  given: Fields,
  refusal: RegistryRefusal,
  registry: Pick<RegistryQueries, 'search'>,
): NextAction | null {
  let args: Fields = Object.fromEntries(Object.entries(given).filter(([name]) => searchFields.has(name)))
  let refused: RefusedPaths = refusal.at
  for (let mistakes = 0; mistakes < maxMistakes && refused.length > 0; mistakes++) {
    args = withoutRefused(args, refused, searchBounds)
    const found = registry.search(args)
    if (found.ok) return searchAction(args, 'asks the same with what was wrong corrected or left out')
    refused = found.refusal.at
  }
  return null
}
