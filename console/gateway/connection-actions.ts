import { FileClock, FlaskConical, GitCompare, Pencil, Trash2 } from '@lucide/vue'

import type { MenuItem } from '../ui/ActionMenu.vue'

export type ConnectionAction = 'try' | 'label' | 'content' | 'changes' | 'delete'

/** What can be done with a saved connection. */
export const connectionActions = (hasChanges: boolean): readonly MenuItem<ConnectionAction>[] => [
  { id: 'try', title: 'Try its tools', icon: FlaskConical },
  { id: 'label', title: 'Change the label', icon: Pencil },
  { id: 'content', title: 'Keep arguments and results', icon: FileClock },
  ...(hasChanges ? [{ id: 'changes' as const, title: 'Review changed tools', icon: GitCompare }] : []),
  { id: 'delete', title: 'Delete', icon: Trash2, isDangerous: true },
]
