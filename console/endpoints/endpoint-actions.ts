import { Activity, Info, Pencil, Trash2 } from '@lucide/vue'

import type { MenuItem } from '../ui/ActionMenu.vue'

export type EndpointAction = 'details' | 'test' | 'edit' | 'remove'

/** What can be done with an endpoint. For one of the file, the page says where it is changed. */
export const endpointActions: readonly MenuItem<EndpointAction>[] = [
  { id: 'details', title: 'Details and prices', icon: Info },
  { id: 'test', title: 'Test', icon: Activity },
  { id: 'edit', title: 'Edit', icon: Pencil },
  { id: 'remove', title: 'Remove', icon: Trash2, isDangerous: true },
]
