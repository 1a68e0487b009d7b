import { Plug } from '@lucide/vue'

import { actionsOf } from '../keys/key-actions.ts'
import type { KeyAction } from '../keys/key-actions.ts'
import type { KeyView } from '../keys/key-view.ts'
import type { MenuItem } from '../ui/ActionMenu.vue'

export type QueryKeyAction = KeyAction | 'connect'

const connect = { id: 'connect', title: 'Connect', icon: Plug } as const

/** What can be done with a query key. */
export const queryKeyActions = (key: Pick<KeyView, 'state'>): readonly MenuItem<QueryKeyAction>[] =>
  key.state === 'expired' ? actionsOf(key) : [connect, ...actionsOf(key)]
