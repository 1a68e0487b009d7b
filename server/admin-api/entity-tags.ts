import { createHmac } from 'node:crypto'

import { fault } from '../platform/fault.ts'

/**
 * Entity tags (RFC 9110, 8.8.3) of what can be changed of a thing: its counts and states that change by themselves are no
 * part of it. Secrets are, which the answer does not show, so the tag is a keyed hash: nobody can guess at them by it.
 */
export function createEntityTags(secret: Buffer) {
  return {
    /** Returns the same tag in every process of the installation. */
    tagOf(path: string, id: string, version: unknown): string {
      const content = JSON.stringify([path, id, ordered(version)])
      return `"${createHmac('sha256', secret).update(content).digest('base64url').slice(0, 22)}"`
    },
  }
}

export type EntityTags = ReturnType<typeof createEntityTags>

/** JSON of a database has its fields in another order than what was just sent. */
function ordered(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(ordered)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1))
  return Object.fromEntries(entries.map(([name, field]) => [name, ordered(field)]))
}

/**
 * Throws the fault `precondition_failed` where a thing is not what the caller read. `ifMatch`: the header as it was sent.
 * Proxies that compress make a tag a weak one; here it stands for the same all the same.
 */
export function requireMatch(ifMatch: string | undefined, tag: string): void {
  if (ifMatch === undefined || ifMatch === '*') return
  const named: readonly string[] = ifMatch.match(/"[^"]*"/g) ?? []
  if (named.includes(tag)) return
  throw fault(
    'precondition_failed',
    'It is not what it was when it was read (If-Match): read it again, and repeat the change if it is still wanted',
    { headers: { etag: tag } },
  )
}
