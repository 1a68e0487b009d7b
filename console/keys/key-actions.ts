import { CopyPlus, Pencil, RotateCw, Trash2 } from '@lucide/vue'

import type { MenuItem } from '../ui/ActionMenu.vue'
import type { KeyView } from './key-view.ts'

export type KeyAction = 'edit' | 'rotate' | 'remake' | 'delete'

const edit = { id: 'edit', title: 'Edit', icon: Pencil } as const
const rotate = { id: 'rotate', title: 'Rotate', icon: RotateCw } as const
const remake = { id: 'remake', title: 'Make a new one like it', icon: CopyPlus } as const
const remove = { id: 'delete', title: 'Delete', icon: Trash2, isDangerous: true } as const

const usual: readonly MenuItem<KeyAction>[] = [edit, rotate, remove]
/** Expired is an end: the specification has no way back from it. */
const expired: readonly MenuItem<KeyAction>[] = [remake, remove]

/** What can be done with a key. */
export const actionsOf = ({ state }: Pick<KeyView, 'state'>): readonly MenuItem<KeyAction>[] =>
  state === 'expired' ? expired : usual
