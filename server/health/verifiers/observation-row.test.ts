import { expect, test } from 'bun:test'

import fc from 'fast-check'

import { latestInstant } from '../../../shared/instants.ts'
import { ObservationRow, probeErrors } from '../../../shared/verifier-protocol.ts'
import { isObservationRow } from './read-report.ts'

const count = fc.nat(Number.MAX_SAFE_INTEGER)
const millis = fc.nat(latestInstant)
const hash = fc.stringMatching(/^[0-9a-f]{16}$/)
const shortRow = fc.tuple(
  count,
  fc.constantFrom(0, 1),
  fc.constantFrom(null, ...probeErrors),
  fc.option(count),
  fc.option(count),
  fc.option(hash),
  millis,
  millis,
)
const row = fc.oneof(
  shortRow,
  fc
    .tuple(shortRow, fc.constantFrom(null, ...probeErrors))
    .map(([short, firstError]) => [...short, firstError]),
)

/** Values of which each is wrong in some place of a row, and right in another. */
const odd = fc.oneof(
  fc.constantFrom(
    null,
    undefined,
    true,
    '',
    '1',
    0,
    1,
    -1,
    -0,
    0.5,
    latestInstant,
    latestInstant + 1,
    2 ** 53,
    NaN,
    Infinity,
    'TIMEOUT',
    'timeout',
  ),
  fc.constantFrom([], {}, [1], '0123456789ABCDEF', '0123456789abcdef\n', '0123456789abcde'),
  count,
  hash,
)

const agrees = (value: unknown): void =>
  expect(isObservationRow(value)).toBe(ObservationRow.safeParse(value).success)

test('takes every good row', () => {
  fc.assert(fc.property(row, (good) => expect(isObservationRow(good)).toBe(true)))
})

test('agrees with the schema about rows in which one place is another value', () => {
  const changed = fc.tuple(row, fc.nat(8), odd)
  fc.assert(
    fc.property(changed, ([good, place, value]) =>
      agrees(good.map((field, at) => (at === place ? value : field))),
    ),
    { numRuns: 2_000 },
  )
})

test('agrees with the schema about what is no row at all', () => {
  const lengths = fc.tuple(row, fc.nat(9), fc.array(odd, { maxLength: 3 }))
  fc.assert(fc.property(lengths, ([good, length, more]) => agrees([...good.slice(0, length), ...more])))
  fc.assert(fc.property(fc.anything(), agrees))
})
