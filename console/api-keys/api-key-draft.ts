import { ApiKeyInput } from '../../shared/api-keys.ts'
import type { ApiKeyView, Permission } from '../../shared/api-keys.ts'
import {
  expiryMistake,
  expiryOf,
  haveDomainProblem,
  keyDraftOf,
  keyMistakeTexts,
  mistakesOf,
} from '../keys/key-draft.ts'
import type { KeyDraft, Mistakes } from '../keys/key-draft.ts'
import type { KeyReading } from '../keys/use-key-form.ts'

/** An API key as it stands in the form. */
export interface ApiKeyDraft extends KeyDraft {
  permissions: readonly Permission[]
}

export type ApiKeyReading = KeyReading<ApiKeyInput, keyof ApiKeyDraft>

/** An empty form, one about a key, or one for a new key like another. */
export const apiKeyDraftOf = (key: ApiKeyView | null, isNew: boolean): ApiKeyDraft => ({
  ...keyDraftOf(key, isNew),
  permissions: key?.permissions ?? [],
})

/** Reads the form. `keptExpiry` is the expiration that the key has already: an unchanged day leaves it alone. */
export function readApiKeyDraft(draft: ApiKeyDraft, keptExpiry: number | null, now: number): ApiKeyReading {
  const expiresAt = expiryOf(draft.lastDay, keptExpiry)
  const { name, permissions, allowedIps, allowedDomains } = draft
  const parsed = ApiKeyInput.safeParse({ name, permissions, allowedIps, allowedDomains, expiresAt })
  const mistakes: Mistakes<keyof ApiKeyDraft> = {
    ...(!parsed.success && mistakesOf(parsed.error.issues, texts, name)),
    ...expiryMistake(expiresAt, now),
  }
  const isMistaken = Object.keys(mistakes).length > 0 || haveDomainProblem(allowedDomains)
  return parsed.success && !isMistaken
    ? { kind: 'ready', input: parsed.data }
    : { kind: 'mistaken', mistakes }
}

const texts = { ...keyMistakeTexts, permissions: () => 'Choose each permission at most once.' } as const
