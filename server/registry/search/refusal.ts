import type { RegistryAnswer, RegistryRefusal } from '../../../shared/registry.ts'

export const answered = <Value>(value: Value): RegistryAnswer<Value> => ({ ok: true, value })

export const refused = (
  code: RegistryRefusal['code'],
  message: string,
  known: readonly string[] = [],
  at: RegistryRefusal['at'] = [],
): { ok: false; refusal: RegistryRefusal } => ({ ok: false, refusal: { code, message, known, at } })

const mostNamed = 8
const mostKnown = 200

/** Returns a refusal of an unknown name that lists the known ones, the closest first: a few of them in its message. */
export function unknownName(
  code: RegistryRefusal['code'],
  what: string,
  name: string,
  known: readonly string[],
  at: RegistryRefusal['at'] = [],
): { ok: false; refusal: RegistryRefusal } {
  const closest = closestFirst(name, known)
  const shown = closest.slice(0, mostNamed)
  const rest = known.length > shown.length ? `, and ${known.length - shown.length} more` : ''
  const names = shown.length === 0 ? 'there is none' : `known: ${shown.join(', ')}${rest}`
  return refused(
    code,
    `there is no ${what} ${JSON.stringify(name.slice(0, 100))}; ${names}`,
    closest.slice(0, mostKnown),
    at,
  )
}

/** Orders known names: those that contain the name or share its beginning come first, the rest in their own order. */
function closestFirst(name: string, known: readonly string[]): string[] {
  const text = name.toLowerCase().trim()
  const closeness = new Map(known.map((one) => [one, closenessOf(text, one.toLowerCase())]))
  return known.toSorted((one, other) => (closeness.get(other) ?? 0) - (closeness.get(one) ?? 0))
}

const containedBonus = 100

function closenessOf(name: string, known: string): number {
  if (name === '') return 0
  let shared = 0
  while (shared < name.length && name[shared] === known[shared]) shared++
  return shared + (known.includes(name) || name.includes(known) ? containedBonus : 0)
}
