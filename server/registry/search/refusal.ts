import type { RegistryAnswer, RegistryRefusal } from '../../../shared/registry.ts'

export const answered = <Value>(value: Value): RegistryAnswer<Value> => ({ ok: true, value })

export const refused = (
  code: RegistryRefusal['code'],
  message: string,
  known: readonly string[] = [],
): { ok: false; refusal: RegistryRefusal } => ({ ok: false, refusal: { code, message, known } })

const mostNamed = 8

/** A refusal of a name that is not known, with the names that may have been meant. All of them when they are few. */
export function unknownName(
  code: RegistryRefusal['code'],
  what: string,
  asked: string,
  known: readonly string[],
): { ok: false; refusal: RegistryRefusal } {
  const closest = closestFirst(asked, known)
  const named = closest.slice(0, mostNamed)
  const rest = known.length > named.length ? `, and ${known.length - named.length} more` : ''
  const shown = named.length === 0 ? 'there is none' : `known: ${named.join(', ')}${rest}`
  return refused(code, `there is no ${what} ${JSON.stringify(asked.slice(0, 100))}; ${shown}`, closest)
}

/** Names that hold what was asked for or share its beginning come first; the rest in their own order. */
function closestFirst(asked: string, known: readonly string[]): string[] {
  const text = asked.toLowerCase().trim()
  const closeness = new Map(known.map((name) => [name, closenessOf(text, name.toLowerCase())]))
  return known.toSorted((one, other) => (closeness.get(other) ?? 0) - (closeness.get(one) ?? 0))
}

const containedBonus = 100

function closenessOf(asked: string, name: string): number {
  if (asked === '') return 0
  let shared = 0
  while (shared < asked.length && asked[shared] === name[shared]) shared++
  return shared + (name.includes(asked) || asked.includes(name) ? containedBonus : 0)
}
