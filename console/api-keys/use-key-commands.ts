import { shallowRef } from 'vue'

import type { ApiKeyInput, ApiKeyView } from '../../shared/api-keys.ts'
import { errorText } from '../trpc.ts'
import { CopyError } from '../ui/clipboard.ts'
import { useToasts } from '../ui/toasts.ts'
import type { OwnApiKeys } from './api-keys.ts'
import { changeText } from './change-words.ts'
import type { KeyChange } from './change-words.ts'

/** A value that was just made. */
export interface MintedValue {
  readonly kind: 'created' | 'rotated'
  readonly key: ApiKeyView
  readonly value: string
}

const notCopiedText = 'The browser did not copy. Try once more, or show the key and copy it yourself.'

export type KeyCommands = ReturnType<typeof useKeyCommands>

/** What the owner of keys can do on the page, with word of what became of it. Refusals are for the dialog that asked. */
export function useKeyCommands(apiKeys: OwnApiKeys) {
  const toasts = useToasts()
  const minted = shallowRef<MintedValue | null>(null)

  const failed = (reason: unknown): void =>
    toasts.show('bad', reason instanceof CopyError ? notCopiedText : errorText(reason))
  const tell = (kind: KeyChange['kind'], name: string, propagated: boolean): void =>
    toasts.show(propagated ? 'ok' : 'warn', changeText({ kind, name, propagated }))

  async function switchTo({ id, name }: ApiKeyView, isEnabled: boolean): Promise<void> {
    const answer = await apiKeys.setEnabled(id, isEnabled)
    if (answer !== null) tell(isEnabled ? 'enabled' : 'disabled', name, answer.propagated)
  }

  return {
    minted,
    failed,

    async create(input: ApiKeyInput): Promise<void> {
      const { key, value, propagated } = await apiKeys.create(input)
      minted.value = { kind: 'created', key, value }
      if (!propagated) tell('created', key.name, propagated)
    },

    async edit({ id }: ApiKeyView, input: ApiKeyInput): Promise<void> {
      const { key, propagated } = await apiKeys.update(id, input)
      tell('edited', key.name, propagated)
    },

    async rotate({ id }: ApiKeyView, overlapMs: number): Promise<void> {
      const { key, value, propagated } = await apiKeys.rotate(id, overlapMs)
      minted.value = { kind: 'rotated', key, value }
      if (!propagated) tell('rotated', key.name, propagated)
    },

    async remove({ id, name }: ApiKeyView): Promise<void> {
      const { propagated } = await apiKeys.delete(id)
      if (minted.value?.key.id === id) minted.value = null
      tell('deleted', name, propagated)
    },

    disable: (key: ApiKeyView) => switchTo(key, false),

    /** Says itself what went wrong: the switch is back where it was. */
    toggle: (key: ApiKeyView, isEnabled: boolean) => switchTo(key, isEnabled).catch(failed),
  }
}
