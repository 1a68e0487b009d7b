import { parseDomainRule } from '../../shared/allowed-domains.ts'
import { ApiKeyInput, apiKeyBounds, isNotPast } from '../../shared/api-keys.ts'
import type { ApiKeyView, Permission } from '../../shared/api-keys.ts'
import { localDay } from '../ui/date-presets.ts'

/** A key as it stands in the form. */
export interface KeyDraft {
  name: string
  permissions: readonly Permission[]
  allowedIps: readonly string[]
  allowedDomains: readonly string[]
  /** The last day on which it works, such as `2026-01-31`; null: it never ends. */
  lastDay: string | null
}

export type DraftField = keyof KeyDraft

/** What is wrong with a field, and what to do. A single entry of Allowed Domains is marked by `domainProblem`. */
export type Mistakes = Partial<Record<DraftField, string>>

export type DraftReading =
  | { readonly kind: 'ready'; readonly input: ApiKeyInput }
  | { readonly kind: 'mistaken'; readonly mistakes: Mistakes }

/** An empty form, one about a key, or one for a new key like another: that one has its own expiration. */
export function draftOf(key: ApiKeyView | null, isNew: boolean): KeyDraft {
  return {
    name: key?.name ?? '',
    permissions: key?.permissions ?? [],
    allowedIps: key?.allowedIps ?? [],
    allowedDomains: key?.allowedDomains ?? [],
    lastDay: isNew || key === null || key.expiresAt === null ? null : localDay(new Date(key.expiresAt)),
  }
}

/** Reads the form. `keptExpiry` is the expiration that the key has already: an unchanged day leaves it alone. */
export function readDraft(draft: KeyDraft, keptExpiry: number | null, now: number): DraftReading {
  const expiresAt = expiryOf(draft.lastDay, keptExpiry)
  const { name, permissions, allowedIps, allowedDomains } = draft
  const parsed = ApiKeyInput.safeParse({ name, permissions, allowedIps, allowedDomains, expiresAt })
  const mistakes: Mistakes = {
    ...(!parsed.success && mistakesOf(parsed.error.issues, name)),
    ...(!isNotPast(expiresAt, now) && { lastDay: 'This day has passed: choose today or a later one.' }),
  }
  const isMistaken = Object.keys(mistakes).length > 0 || allowedDomains.some(hasProblem)
  return parsed.success && !isMistaken
    ? { kind: 'ready', input: parsed.data }
    : { kind: 'mistaken', mistakes }
}

/** What is wrong with one entry of Allowed Domains; null when nothing is. */
export function domainProblem(entry: string): string | null {
  const reading = parseDomainRule(entry)
  return reading.kind === 'refused' ? reading.why : null
}

const hasProblem = (entry: string): boolean => domainProblem(entry) !== null

/** A key works through its last day, where its owner is. */
function expiryOf(lastDay: string | null, keptExpiry: number | null): number | null {
  if (lastDay === null) return null
  if (keptExpiry !== null && lastDay === localDay(new Date(keptExpiry))) return keptExpiry
  return new Date(`${lastDay}T23:59:59.999`).getTime()
}

function mistakesOf(issues: readonly { readonly path: readonly PropertyKey[] }[], name: string): Mistakes {
  const mistakes: Mistakes = {}
  for (const { path } of issues) {
    const field = path[0] === 'expiresAt' ? 'lastDay' : path[0]
    if (isDraftField(field)) mistakes[field] = texts[field](name)
  }
  return mistakes
}

const entriesText = (): string =>
  `At most ${apiKeyBounds.entries} entries of at most ${apiKeyBounds.entryChars} characters each.`

const texts: Readonly<Record<DraftField, (name: string) => string>> = {
  name: (name) =>
    name.trim() === '' ? 'Give the key a name.' : `At most ${apiKeyBounds.nameChars} characters.`,
  permissions: () => 'Choose each permission at most once.',
  allowedIps: entriesText,
  allowedDomains: entriesText,
  lastDay: () => 'Choose a day up to the year 9999.',
}

const isDraftField = (field: PropertyKey | undefined): field is DraftField =>
  typeof field === 'string' && Object.hasOwn(texts, field)
