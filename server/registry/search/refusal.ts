import type { RegistryAnswer, RegistryRefusal } from '../../../shared/registry.ts'

export const answered = <Value>(value: Value): RegistryAnswer<Value> => ({ ok: true, value })

export const refused = (
  code: RegistryRefusal['code'],
  message: string,
  known: readonly string[] = [],
): { ok: false; refusal: RegistryRefusal } => ({ ok: false, refusal: { code, message, known } })

const mostNamed = 8
const mostKnown = 200

/** A refusal of a name that is not known, with those that may have been meant first. */
export function unknownName(
  code: RegistryRefusal['code'],
  what: string,
  asked: string,
  known: readonly string[],
  named = mostNamed,
): { ok: false; refusal: RegistryRefusal } {
  const closest = closestFirst(asked, known)
  const shown = closest.slice(0, named)
  const rest = known.length > shown.length ? `, and ${known.length - shown.length} more` : ''
  const names = shown.length === 0 ? 'there is none' : `known: ${shown.join(', ')}${rest}`
  return refused(
    code,
    `there is no ${what} ${JSON.stringify(asked.slice(0, 100))}; ${names}`,
    closest.slice(0, mostKnown),
  )
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
