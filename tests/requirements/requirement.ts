/** The issue that builds a behaviour: 1 health, 2 accounts and API keys, 3 query keys, 4 registry and gateway. */
export type Issue = 1 | 2 | 3 | 4

/** One behaviour of the specification. */
export interface Requirement {
  id: string
  issue: Issue
  /** Heading of the specification under which it stands. */
  section: string
  text: string
  /** What Gatehouse does where the specification says "not shown"; null where it says what to do. */
  decided: string | null
}

/** What was decided beyond the specification: a short statement, and the reason or the details that follow it. */
export type Decisions = Readonly<Record<string, string>>

type Entry = string | { text: string; decided: string }

/** The behaviours under one heading of the specification that one issue builds. */
export function section(name: string, issue: Issue, entries: Record<string, Entry>): Requirement[] {
  return Object.entries(entries).map(([id, entry]) => {
    const { text, decided } = typeof entry === 'string' ? { text: entry, decided: null } : entry
    return { id, issue, section: name, text, decided }
  })
}
