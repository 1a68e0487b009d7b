/** A header as it stands in a form. Its value is sent to the server, and never comes back. */
export interface HeaderEntry {
  readonly name: string
  /** Empty for one that was stored before: it stays. */
  readonly value: string
  readonly isStored: boolean
}

export const storedHeaders = (names: readonly string[]): readonly HeaderEntry[] =>
  names.map((name) => ({ name, value: '', isStored: true }))

/** The headers that have a value, or a name that is new. */
export const headersOfEntries = (entries: readonly HeaderEntry[]): Record<string, string> =>
  Object.fromEntries(
    entries.flatMap(({ name, value, isStored }) =>
      name.trim() === '' || (isStored && value === '') ? [] : [[name.trim(), value]],
    ),
  )

/** What changes of the headers that were stored under `names`: null removes one. */
export function changedHeaders(
  entries: readonly HeaderEntry[],
  names: readonly string[],
): Record<string, string | null> {
  const kept = new Set(entries.map(({ name }) => name.trim().toLowerCase()))
  const removed = names.filter((name) => !kept.has(name.toLowerCase()))
  return { ...Object.fromEntries(removed.map((name) => [name, null])), ...headersOfEntries(entries) }
}
