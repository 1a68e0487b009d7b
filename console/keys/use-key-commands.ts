import { shallowRef } from 'vue'

import { callErrorText } from '../trpc.ts'
import { CopyError } from '../ui/clipboard.ts'
import { useToasts } from '../ui/toasts.ts'
import { changeText } from './change-words.ts'
import type { KeyChange } from './change-words.ts'
import type { KeyView } from './key-view.ts'
import type { ChangedKey, MintedKey } from './own-keys.ts'

/** A value that was just made. */
export interface MintedValue<Key extends KeyView> {
  readonly kind: 'created' | 'rotated'
  readonly key: Key
  readonly value: string
}

/** Keys of one kind and the calls that change them; each rejects with the refusal. */
export interface KeysToCommand<Key extends KeyView, Input, Edit> {
  create(input: Input): Promise<MintedKey<Key>>
  update(id: string, edit: Edit): Promise<ChangedKey<Key>>
  rotate(id: string, overlapMs: number): Promise<MintedKey<Key>>
  delete(id: string): Promise<{ readonly propagated: boolean }>
  /** Null: the last switch is still under way. */
  setEnabled(id: string, isEnabled: boolean): Promise<ChangedKey<Key> | null>
}

const notCopiedText = 'The browser did not copy. Try once more, or show the key and copy it yourself.'

type Named = Pick<KeyView, 'id' | 'name'>

/** What the owner of a key can do with it, whatever its kind. Refusals are for the dialog that asked. */
export interface KeyCommands {
  rotate(key: Named, overlapMs: number): Promise<void>
  remove(key: Named): Promise<void>
  disable(key: Named): Promise<void>
}

/** What the owner of keys can do on the page, with word of what became of it. Refusals are for the dialog that asked. */
export function useKeyCommands<Key extends KeyView, Input, Edit>(keys: KeysToCommand<Key, Input, Edit>) {
  const toasts = useToasts()
  const minted = shallowRef<MintedValue<Key> | null>(null)

  const failed = (reason: unknown): void =>
    toasts.show('bad', reason instanceof CopyError ? notCopiedText : callErrorText(reason))
  const tell = (kind: KeyChange['kind'], name: string, propagated: boolean): void =>
    toasts.show(propagated ? 'ok' : 'warn', changeText({ kind, name, propagated }))

  async function switchTo({ id, name }: Named, isEnabled: boolean): Promise<void> {
    const answer = await keys.setEnabled(id, isEnabled)
    if (answer !== null) tell(isEnabled ? 'enabled' : 'disabled', name, answer.propagated)
  }

  return {
    minted,
    failed,

    async create(input: Input): Promise<void> {
      const { key, value, propagated } = await keys.create(input)
      minted.value = { kind: 'created', key, value }
      if (!propagated) tell('created', key.name, propagated)
    },

    async edit({ id }: Named, edit: Edit): Promise<void> {
      const { key, propagated } = await keys.update(id, edit)
      tell('edited', key.name, propagated)
    },

    async rotate({ id }: Named, overlapMs: number): Promise<void> {
      const { key, value, propagated } = await keys.rotate(id, overlapMs)
      minted.value = { kind: 'rotated', key, value }
      if (!propagated) tell('rotated', key.name, propagated)
    },

    async remove({ id, name }: Named): Promise<void> {
      const { propagated } = await keys.delete(id)
      if (minted.value?.key.id === id) minted.value = null
      tell('deleted', name, propagated)
    },

    disable: (key: Named) => switchTo(key, false),

    /** Says itself what went wrong: the switch is back where it was. */
    toggle: (key: Named, isEnabled: boolean) => switchTo(key, isEnabled).catch(failed),
  }
}
