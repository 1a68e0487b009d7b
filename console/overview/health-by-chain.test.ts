import { expect, test } from 'bun:test'

import type { Decision } from '../../shared/health.ts'
import type { HealthByChain, Maintenance, StripPart } from '../../shared/health-services.ts'
import { chainDays, dayOfTrouble } from './health-by-chain.ts'

const from = Date.UTC(2026, 10, 27, 13)
const hours = (...last: StripPart[]): StripPart[] => [
  ...Array.from({ length: 24 - last.length }, () => 'UP' as const),
  ...last,
]
const service = (
  chain: string | null,
  decision: Decision = 'UP',
  maintenance: Maintenance | null = null,
) => ({
  chain: chain === null ? null : { key: chain, name: chain.toUpperCase() },
  family: chain === null ? ('http' as const) : ('evm' as const),
  decision,
  maintenance,
})
const known = (chains: Record<string, StripPart[]>): HealthByChain => ({
  from,
  chains: Object.entries(chains).map(([chain, day]) => ({ chain, hours: day })),
})

test('chains in trouble come first, then those of many services; services of no chain stand under their family', () => {
  const services = [
    service('base'),
    service('ethereum'),
    service('ethereum'),
    service('solana', 'LATENCY'),
    service(null),
    service('polygon', 'DOWN'),
    service('polygon'),
  ]
  expect(
    chainDays(services, undefined).map(({ name, query, up, count }) => [name, query, up, count]),
  ).toEqual([
    ['POLYGON', { chain: 'polygon' }, 1, 2],
    ['SOLANA', { chain: 'solana' }, 0, 1],
    ['ETHEREUM', { chain: 'ethereum' }, 2, 2],
    ['BASE', { chain: 'base' }, 1, 1],
    ['http', { family: 'http' }, 1, 1],
  ])
})

test('the last hour holds what is so at this moment, and what was worse in it before', () => {
  const lastOf = (part: StripPart, ...now: ReturnType<typeof service>[]) =>
    chainDays(now, known({ base: hours(part) }))[0]?.hours?.at(-1)
  expect(lastOf('UP', service('base'), service('base', 'LATENCY'))).toBe('LATENCY')
  expect(lastOf('DOWN', service('base'))).toBe('DOWN')
  expect(lastOf(null, service('base'))).toBe('UP')
  expect(lastOf('UP', service('base', 'DOWN', { until: null, note: '' }))).toBe('MAINTENANCE')
})

test('hours are absent until the server has told them, also those of a chain that came since', () => {
  expect(chainDays([service('base')], undefined)[0]?.hours).toBeNull()
  expect(chainDays([service('base')], known({ ethereum: hours() }))[0]?.hours).toBeNull()
})

test('the day is told in words, neighbours of a kind together', () => {
  const times = Array.from({ length: 25 }, (_, hour) => `${(hour + 13) % 24}:00`)
  expect(dayOfTrouble(hours(), times)).toBe('nothing but UP')
  expect(dayOfTrouble(hours('LATENCY', 'LATENCY', 'UP', 'DOWN'), times)).toBe(
    'LATENCY 9:00 to 11:00, DOWN 12:00 to 13:00',
  )
  expect(dayOfTrouble([null, ...hours().slice(1)], times)).toBe('nothing but UP')
})
