import { useQuery } from '@pinia/colada'
import { computed } from 'vue'

import { servicesQuery } from '../health/services-query.ts'
import type { PickOption } from './pick-list.ts'

const byLabel = (one: PickOption, other: PickOption): number => one.label.localeCompare(other.label)

const optionsOf = (texts: readonly string[]): readonly PickOption[] =>
  [...new Set(texts)].map((text) => ({ value: text, label: text })).toSorted(byLabel)

/** What rules, silences and maintenance can be about: the services, their chains, providers and labels. */
export function useServiceOptions() {
  const { data } = useQuery(servicesQuery)
  const names = computed(() => new Map((data.value ?? []).map(({ id, name }) => [id, name])))
  return {
    /** Of a service; its id where it is not known. */
    nameOf: (id: string): string => names.value.get(id) ?? id,
    services: computed(() => {
      const all = data.value ?? []
      const counts = new Map<string, number>()
      for (const { name } of all) counts.set(name, (counts.get(name) ?? 0) + 1)
      // Two that are called alike are told apart by their ids.
      return all
        .map(({ id, name }) => ({ value: id, label: counts.get(name) === 1 ? name : `${name} (${id})` }))
        .toSorted(byLabel)
    }),
    chains: computed(() => {
      const chains = new Map(
        (data.value ?? []).flatMap(({ chain }) => (chain === null ? [] : [[chain.key, chain.name]])),
      )
      return [...chains].map(([value, label]) => ({ value, label })).toSorted(byLabel)
    }),
    providers: computed(() => optionsOf((data.value ?? []).map(({ provider }) => provider))),
    labels: computed(() => optionsOf((data.value ?? []).flatMap(({ labels }) => labels))),
  }
}
