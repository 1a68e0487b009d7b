import type { UsageRow } from './usage-rows.ts'
import type { UsageView } from './usage-view.ts'

export interface UsageChoice {
  readonly value: string
  readonly label: string
}

interface Known {
  readonly keys: readonly Pick<UsageRow, 'id' | 'name' | 'key'>[]
  readonly methods: readonly Pick<UsageRow, 'name'>[]
  readonly endpoints: readonly { readonly name: string }[]
}

export type FilterChoices = Readonly<Record<'keyId' | 'endpoint' | 'method', readonly UsageChoice[]>>

const byLabel = (one: UsageChoice, other: UsageChoice): number => one.label.localeCompare(other.label)

/** `any` first, then by name; what is chosen is among them also when nothing is known of it. */
function choices(any: string, known: readonly UsageChoice[], chosen: string): readonly UsageChoice[] {
  const isListed = chosen === '' || known.some(({ value }) => value === chosen)
  const unlisted = isListed ? [] : [{ value: chosen, label: chosen }]
  return [{ value: '', label: any }, ...known.toSorted(byLabel), ...unlisted]
}

const named = (names: Iterable<string>): readonly UsageChoice[] =>
  [...new Set(names)].filter((name) => name !== '').map((name) => ({ value: name, label: name }))

/** What can be chosen to narrow usage: what was used in the range, and every endpoint that there is. */
export function filterChoices({ keys, methods, endpoints }: Known, view: UsageView): FilterChoices {
  const usedEndpoints = keys.map(({ key }) => key?.endpoint ?? '')
  const ofKeys = keys.map(({ id, name, key }) => ({ value: id ?? '', label: `${name} (${key?.hint ?? ''})` }))
  return {
    keyId: choices('All keys', ofKeys, view.keyId),
    endpoint: choices(
      'All endpoints',
      named([...usedEndpoints, ...endpoints.map(({ name }) => name)]),
      view.endpoint,
    ),
    method: choices('All methods', named(methods.map(({ name }) => name)), view.method),
  }
}
