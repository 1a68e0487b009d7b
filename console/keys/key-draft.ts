import { parseDomainRule } from '../../shared/allowed-domains.ts'
import { apiKeyBounds, isNotPast } from '../../shared/api-keys.ts'
import { dayAfter, startOfDay } from '../../shared/zone-days.ts'
import { localDay } from '../ui/date-presets.ts'
import { readerZone } from '../ui/reader-zone.ts'
import type { KeyView } from './key-view.ts'

/** What stands in the form of a key of any kind. */
export interface KeyDraft {
  name: string
  allowedIps: readonly string[]
  allowedDomains: readonly string[]
  /** The last day on which it works, such as `2026-01-31`; null: it never ends. */
  lastDay: string | null
}

/** What is wrong with a field, and what to do. A single entry of Allowed Domains is marked by `domainProblem`. */
export type Mistakes<Field extends string> = Partial<Record<Field, string>>

/** For each field, what to say when it is refused. */
export type MistakeTexts<Field extends string> = Readonly<Record<Field, (name: string) => string>>

/** An empty form, one about a key, or one for a new key like another: that one has its own expiration. */
export function keyDraftOf(key: KeyView | null, isNew: boolean): KeyDraft {
  return {
    name: key?.name ?? '',
    allowedIps: key?.allowedIps ?? [],
    allowedDomains: key?.allowedDomains ?? [],
    lastDay: isNew || key === null || key.expiresAt === null ? null : localDay(new Date(key.expiresAt)),
  }
}

/** A key works through its last day, where its owner is. An unchanged day leaves the expiration that it has. */
export function expiryOf(lastDay: string | null, keptExpiry: number | null): number | null {
  if (lastDay === null) return null
  if (keptExpiry !== null && lastDay === localDay(new Date(keptExpiry))) return keptExpiry
  // The browser's own input lets years of six digits through.
  return /^[12]\d{3}-/.test(lastDay) ? startOfDay(readerZone(), dayAfter(lastDay)) - 1 : Number.NaN
}

export const expiryMistake = (expiresAt: number | null, now: number): Mistakes<'lastDay'> =>
  isNotPast(expiresAt, now) ? {} : { lastDay: 'This day has passed: choose today or a later one.' }

/** What is wrong with one entry of Allowed Domains; null when nothing is. */
export function domainProblem(entry: string): string | null {
  const reading = parseDomainRule(entry)
  return reading.kind === 'refused' ? reading.why : null
}

export const haveDomainProblem = (entries: readonly string[]): boolean =>
  entries.some((entry) => domainProblem(entry) !== null)

/** Texts for the fields that a schema refused. */
export function mistakesOf<Field extends string>(
  issues: readonly { readonly path: readonly PropertyKey[] }[],
  texts: MistakeTexts<Field>,
  name: string,
): Mistakes<Field> {
  const mistakes: Mistakes<Field> = {}
  const isField = (field: PropertyKey | undefined): field is Field =>
    typeof field === 'string' && Object.hasOwn(texts, field)
  for (const { path } of issues) {
    const field = path[0] === 'expiresAt' ? 'lastDay' : path[0]
    if (isField(field)) mistakes[field] = texts[field](name)
  }
  return mistakes
}

const entriesText = (): string =>
  `At most ${apiKeyBounds.entries} entries of at most ${apiKeyBounds.entryChars} characters each.`

export const keyMistakeTexts: MistakeTexts<keyof KeyDraft> = {
  name: (name) =>
    name.trim() === '' ? 'Give the key a name.' : `At most ${apiKeyBounds.nameChars} characters.`,
  allowedIps: entriesText,
  allowedDomains: entriesText,
  lastDay: () => 'Choose a day up to the year 9999.',
}
