import { useQuery } from '@pinia/colada'
import { computed } from 'vue'
import type { Ref } from 'vue'

import { queryKeyChoicesQuery } from '../query-keys/query-keys.ts'
import { useUsageNow } from './usage-now.ts'
import { usageTableQuery } from './usage-queries.ts'
import { filterChoices } from './usage-choices.ts'
import { rangeQuestionOf } from './usage-view.ts'
import type { UsageView } from './usage-view.ts'

/** What the usage in a range can be narrowed to. */
export function useUsageChoices(view: Readonly<Ref<UsageView>>) {
  const hour = useUsageNow()
  const everything = computed(() => rangeQuestionOf(view.value, hour.value))
  const keys = useQuery(() => usageTableQuery('key', everything.value))
  const methods = useQuery(() => usageTableQuery('method', everything.value))
  const endpoints = useQuery(queryKeyChoicesQuery)
  return computed(() =>
    filterChoices(
      {
        keys: keys.data.value?.rows ?? [],
        methods: methods.data.value?.rows ?? [],
        endpoints: endpoints.data.value?.endpoints ?? [],
      },
      view.value,
    ),
  )
}
