import { computed } from 'vue'
import type { ComputedRef } from 'vue'

import { useTickingNow } from '../ui/ticking-now.ts'
import { hourMs } from '../../shared/durations.ts'

/** When this hour began, epoch ms: what is asked for changes with it, and not with every second. */
export function useThisHour(): ComputedRef<number> {
  const now = useTickingNow()
  return computed(() => Math.floor(now.value / hourMs) * hourMs)
}
