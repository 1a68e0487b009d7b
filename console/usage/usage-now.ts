import { computed } from 'vue'
import type { ComputedRef } from 'vue'

import { useTickingNow } from '../ui/ticking-now.ts'
import { minuteMs } from '../../shared/durations.ts'

/** The shortest time that usage is told of. */
const stepMs = 5 * minuteMs

/** When these five minutes began, epoch ms: what is asked for changes with them at most, and not with every second. */
export function useUsageNow(): ComputedRef<number> {
  const now = useTickingNow()
  return computed(() => Math.floor(now.value / stepMs) * stepMs)
}
