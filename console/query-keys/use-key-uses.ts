import { computed } from 'vue'
import type { Ref } from 'vue'

import { maxKeyUses } from '../../shared/query-keys.ts'
import type { QueryKeyUse } from '../../shared/query-keys.ts'
import { useLiveQuery } from '../live-query.ts'
import { trpc } from '../trpc.ts'

/** How much of their limits some keys have used now, for as long as the tab can be seen. */
export function useKeyUses(ids: Readonly<Ref<readonly string[]>>, refreshMs?: number) {
  const asked = computed(() => ids.value.join(' '))
  return useLiveQuery<readonly QueryKeyUse[]>(
    () => ({
      key: ['query-key-uses', asked.value],
      query: () => readUses(asked.value === '' ? [] : asked.value.split(' ')),
      keepsLast: true,
    }),
    refreshMs,
  )
}

async function readUses(ids: readonly string[]): Promise<readonly QueryKeyUse[]> {
  const parts = Array.from({ length: Math.ceil(ids.length / maxKeyUses) }, (_, place) =>
    ids.slice(place * maxKeyUses, (place + 1) * maxKeyUses),
  )
  return (await Promise.all(parts.map((part) => trpc.queryKeys.uses.query({ ids: part })))).flat()
}
