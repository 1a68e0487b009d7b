import { ref, watch } from 'vue'
import type { Ref } from 'vue'
import { useRoute, useRouter } from 'vue-router'

import { serviceFilterFromQuery, serviceQueryOf } from './service-filter.ts'
import type { ServiceFilter } from './service-filter.ts'

/**
 * The filter, kept in the address of the page, so that a narrowed list can be linked to and comes back. It is a ref of
 * its own, because the address follows a moment later: read from there, a list that is just redrawn would take back
 * what somebody types.
 */
export function useServiceFilter(): Ref<ServiceFilter> {
  const [route, router] = [useRoute(), useRouter()]
  const filter = ref(serviceFilterFromQuery(route.query))
  const page = route.name

  watch(filter, (next) => router.replace({ query: { ...route.query, ...serviceQueryOf(next) } }))
  watch(
    () => route.query,
    (query) => {
      const next = serviceFilterFromQuery(query)
      if (route.name === page && !isSame(next, filter.value)) filter.value = next
    },
  )
  return filter
}

const isSame = (one: ServiceFilter, other: ServiceFilter): boolean =>
  JSON.stringify(one) === JSON.stringify(other)
