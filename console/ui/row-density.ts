import { Rows3, Rows4 } from '@lucide/vue'

/** How high the rows of a long list are. */
export type RowDensity = 'compact' | 'regular'

export const rowDensities = [
  { value: 'compact', label: 'Compact rows', icon: Rows4 },
  { value: 'regular', label: 'Regular rows', icon: Rows3 },
] as const satisfies readonly { value: RowDensity; label: string; icon: unknown }[]
