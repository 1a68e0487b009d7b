import { computed, watch } from 'vue'
import type { Ref } from 'vue'

import type { QueryKeyUse } from '../../shared/query-keys.ts'
import { useLiveQuery } from '../live-query.ts'
import { trpc } from '../trpc.ts'

const refreshMs = 3_000

/** How much of their limits some keys have used now, by their ids, for as long as the tab can be seen. */
export function useKeyUses(ids: Readonly<Ref<readonly string[]>>) {
  const { data, updatedAt, refetch } = useLiveQuery<readonly QueryKeyUse[]>(
    {
      key: ['query-key-uses'],
      query: async () => (ids.value.length === 0 ? [] : trpc.queryKeys.uses.query({ ids: [...ids.value] })),
    },
    refreshMs,
  )
  watch(
    () => ids.value.join(' '),
    () => void refetch(),
  )
  return {
    uses: computed(() => new Map((data.value ?? []).map((use) => [use.keyId, use]))),
    updatedAt,
  }
}
