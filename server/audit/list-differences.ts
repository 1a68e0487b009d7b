import type { AuditFacts, JsonValue } from '../../shared/audit.ts'

/** Longer lists are not worth having twice in an entry that changed one item of them. */
const wholeUpTo = 10

/** Two lists of the same field before and after a change. */
interface Lists {
  readonly before: JsonValue[]
  readonly after: JsonValue[]
}

/**
 * The same facts, in which long lists that stand on both sides hold only what was removed (before) and what was added
 * (after), and at their end how many items both have: an entry is then as large as the change that it is about.
 */
export function withoutCommonItems(
  before: AuditFacts | null,
  after: AuditFacts | null,
): { before: AuditFacts | null; after: AuditFacts | null } {
  if (before === null || after === null) return { before, after }
  const [left, right] = [{ ...before }, { ...after }]
  for (const [name, one] of Object.entries(before)) {
    const other = after[name]
    if (!Array.isArray(one) || !Array.isArray(other)) continue
    if (one.length <= wholeUpTo && other.length <= wholeUpTo) continue
    const different = differenceOf({ before: one, after: other })
    left[name] = different.before
    right[name] = different.after
  }
  return { before: left, after: right }
}

function differenceOf({ before, after }: Lists): Lists {
  const textsBefore = new Set(before.map((item) => JSON.stringify(item)))
  const textsAfter = new Set(after.map((item) => JSON.stringify(item)))
  const removed = before.filter((item) => !textsAfter.has(JSON.stringify(item)))
  const added = after.filter((item) => !textsBefore.has(JSON.stringify(item)))
  const common = after.length - added.length
  const mark = common === 0 ? [] : [`… (${common} ${common === 1 ? 'item' : 'items'} in both)`]
  return { before: [...removed, ...mark], after: [...added, ...mark] }
}
