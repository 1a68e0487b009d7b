import type { Random } from './random.ts'

/** Texts that have broken parsers, databases and log readers. */
const texts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '\ud800',
  'a\udc00',
  '\u001b[31m',
  '\u202egnp.exe',
  '\u200b',
  '\ufeff',
  '\r\nx-injected: 1',
  'x'.repeat(300),
  'x'.repeat(9_000),
  '\u{1f4a5}'.repeat(200),
  '../../../etc/passwd',
  '..%2f..%2f',
  '__proto__',
  'constructor',
  "'; DROP TABLE accounts; --",
  '%00',
  '%ff',
  '{}',
  'null',
  'NaN',
  '1e400',
  '-1',
  '9007199254740993',
  '99999999999999999999',
  '0000-01-01T00:00:00Z',
  '9999-12-31T23:59:59-23:59',
  '+275760-09-13T00:00:00Z',
  '2026-02-30T00:00:00Z',
  '253402300800',
] as const

const numbers = [
  0,
  -1,
  1,
  1.5,
  2 ** 31 - 1,
  2 ** 31,
  2 ** 53 - 1,
  2 ** 53,
  2 ** 63,
  1e21,
  -1e21,
  1e308,
  8_640_000_000_000_000,
  8_640_000_000_000_001,
  253_402_300_799_999,
  253_402_300_800_000,
] as const

export const hostileText = (random: Random): string => random.pick(texts)

/** Any JSON value, chosen for what it breaks. */
export function hostileValue(random: Random): unknown {
  switch (random.below(8)) {
    case 0:
    case 1:
    case 2:
      return hostileText(random)
    case 3:
    case 4:
      return random.pick(numbers)
    case 5:
      return random.pick([null, true, false, [], {}, [[]], [null]])
    case 6:
      return nested(random.pick([5, 60, 70, 500]))
    default:
      return Array.from({ length: random.pick([1, 101, 2_500]) }, () => hostileText(random).slice(0, 40))
  }
}

function nested(depth: number): unknown {
  let value: unknown = 1
  for (let level = 0; level < depth; level++) value = level % 2 === 0 ? [value] : { a: value }
  return value
}

/** The value with one thing in it changed, at any depth. */
export function mutated(value: unknown, random: Random, added: () => unknown): unknown {
  if (random.chance(0.15)) return hostileValue(random)
  if (Array.isArray(value)) return mutatedList(value, random, added)
  if (typeof value === 'object' && value !== null) return mutatedObject(value, random, added)
  return hostileValue(random)
}

function mutatedList(list: readonly unknown[], random: Random, added: () => unknown): unknown[] {
  if (list.length === 0 || random.chance(0.2)) return [...list, hostileValue(random)]
  const place = random.below(list.length)
  return list.map((item, index) => (index === place ? mutated(item, random, added) : item))
}

function mutatedObject(object: object, random: Random, added: () => unknown): object {
  const entries = Object.entries(object)
  if (entries.length === 0 || random.chance(0.15)) {
    return Object.fromEntries([...entries, [random.pick(['more', '__proto__', 'a\0b', '']), added()]])
  }
  const place = random.below(entries.length)
  if (random.chance(0.2)) return Object.fromEntries(entries.filter((_entry, index) => index !== place))
  return Object.fromEntries(
    entries.map(([name, item], index) => [name, index === place ? mutated(item, random, added) : item]),
  )
}
