import type { KeyView } from './key-view.ts'

type EntryField = 'allowedIps' | 'allowedDomains'

/** What the server has against single entries, by the entry. */
export type EntryProblems = Readonly<Record<EntryField, ReadonlyMap<string, string>>>

export const noProblems: EntryProblems = { allowedIps: new Map(), allowedDomains: new Map() }

/**
 * Finds the entries that a refusal is about. It names them by place, `allowedIps[1]: expected …; allowedDomains[0]: …`,
 * and never by what they hold, which may be a key that was pasted into the wrong field.
 */
export function entryProblems(refusal: string, input: Pick<KeyView, EntryField>): EntryProblems {
  const problems = { allowedIps: new Map<string, string>(), allowedDomains: new Map<string, string>() }
  for (const [, field, place, why] of refusal.matchAll(/(allowedIps|allowedDomains)\[(\d+)\]: ([^;]+)/g)) {
    if (!isEntryField(field) || why === undefined) continue
    const entry = input[field][Number(place)]
    if (entry !== undefined) problems[field].set(entry, why)
  }
  return problems
}

const isEntryField = (field: string | undefined): field is EntryField =>
  field === 'allowedIps' || field === 'allowedDomains'
