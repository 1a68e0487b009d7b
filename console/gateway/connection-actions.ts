import { FileClock, FlaskConical, GitCompare, Pencil, Settings2, Trash2 } from '@lucide/vue'

import type { ListedConnection } from './gateway-queries.ts'
import type { MenuItem } from '../ui/ActionMenu.vue'

export type ConnectionAction = 'try' | 'label' | 'content' | 'changes' | 'use' | 'delete'

/** What can be done with a saved connection. */
export const connectionActions = ({
  changedTools,
  flaggedTools,
}: Pick<ListedConnection, 'changedTools' | 'flaggedTools'>): readonly MenuItem<ConnectionAction>[] => [
  { id: 'try', title: 'Try its tools', icon: FlaskConical },
  { id: 'label', title: 'Change the label', icon: Pencil },
  { id: 'content', title: 'Keep arguments and results', icon: FileClock },
  ...(changedTools.length + flaggedTools.length > 0
    ? [{ id: 'changes' as const, title: 'Review its tools', icon: GitCompare }]
    : []),
  { id: 'use', title: 'Settings', icon: Settings2 },
  { id: 'delete', title: 'Delete', icon: Trash2, isDangerous: true },
]
