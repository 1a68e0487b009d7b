import type { Family } from '../../../shared/chains.ts'
import type { KnownMethods } from '../../../shared/endpoints.ts'
import type { MethodGroup } from '../../../shared/method-access.ts'
import { isRestricted, type KnownMethod, prices } from './method-table.ts'
import { methodTableOf } from './methods-by-family.ts'

export const groupOf = (known: KnownMethod | null): MethodGroup => {
  if (known === null) return 'unknown'
  return isRestricted(known.kind) ? known.kind : 'ordinary'
}

/** Returns the names in the table of a family, by their groups. */
export function knownMethodsOf(family: Family): KnownMethods {
  const { methods, prefixes } = methodTableOf(family)
  const all = [...methods, ...prefixes]
  const namesIn = (group: MethodGroup): string[] =>
    all.filter(([, known]) => groupOf(known) === group).map(([name]) => name)
  return { ordinary: namesIn('ordinary'), nodeControl: namesIn('node-control'), keyUse: namesIn('key-use') }
}

/** Returns what methods of a family cost where nobody has set a price, without those that cost the ordinary price. */
export function builtInPricesOf(family: Family): Readonly<Record<string, number>> {
  const dearer = [...methodTableOf(family).methods].filter(([, { credits }]) => credits !== prices.ordinary)
  return Object.fromEntries(dearer.map(([name, { credits }]) => [name, credits]))
}
