import { FileClock, FlaskConical, GitCompare, LogIn, Pencil, Settings2, Trash2 } from '@lucide/vue'

import type { MenuItem } from '../ui/ActionMenu.vue'
import { connectTitle } from './connection-words.ts'
import type { ListedConnection } from './gateway-queries.ts'

export type ConnectionAction = 'connect' | 'try' | 'label' | 'content' | 'changes' | 'use' | 'delete'

/** What can be done with a saved connection. */
export const connectionActions = ({
  changedTools,
  flaggedTools,
  oauth,
}: Pick<
  ListedConnection,
  'changedTools' | 'flaggedTools' | 'oauth'
>): readonly MenuItem<ConnectionAction>[] => [
  ...(oauth === null ? [] : [{ id: 'connect' as const, title: connectTitle(oauth), icon: LogIn }]),
  { id: 'try', title: 'Try its tools', icon: FlaskConical },
  { id: 'label', title: 'Change the label', icon: Pencil },
  { id: 'content', title: 'Keep arguments and results', icon: FileClock },
  ...(changedTools.length + flaggedTools.length > 0
    ? [{ id: 'changes' as const, title: 'Review its tools', icon: GitCompare }]
    : []),
  { id: 'use', title: 'Settings', icon: Settings2 },
  { id: 'delete', title: 'Delete', icon: Trash2, isDangerous: true },
]
