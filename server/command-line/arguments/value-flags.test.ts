import { describe, expect, test } from 'bun:test'

import { parseChainHeadFlag, parseInstantFlag } from './value-flags.ts'
import { parseArguments } from './parse-arguments.ts'
import type { ParsedArguments } from './command.ts'

function given(...args: string[]): ParsedArguments {
  const flags = { from: { type: 'string', value: 'DATE', about: '' } } as const
  const command = { name: 'look', about: '', positionals: [], flags, run: async () => undefined }
  const reading = parseArguments(['look', ...args], [command])
  if (reading.kind !== 'run') throw new TypeError('these arguments are wrong')
  return reading.args
}

describe('an instant', () => {
  test.each([
    ['2026-01-31', Date.UTC(2026, 0, 31)],
    ['2026-01-31T12:30Z', Date.UTC(2026, 0, 31, 12, 30)],
    ['2026-01-31T12:30:15.250+02:00', Date.UTC(2026, 0, 31, 10, 30, 15, 250)],
  ])('%s', (text, at) => {
    expect(parseInstantFlag(given('--from', text), 'from')).toBe(at)
  })

  test.each(['yesterday', '2026-13-01', '31.1.2026', '2026'])('is not "%s"', (text) => {
    expect(() => parseInstantFlag(given(`--from=${text}`), 'from')).toThrow('--from: expected a date')
  })

  test('may be absent', () => {
    expect(parseInstantFlag(given(), 'from')).toBeNull()
  })
})

describe('a head', () => {
  const hash = 'ab'.repeat(32)

  test('is a number and a hash', () => {
    expect(parseChainHeadFlag(`12:${hash}`)).toEqual({ seq: 12, hash })
    expect(parseChainHeadFlag(null)).toBeNull()
  })

  test.each(['', '12', hash, `x:${hash}`, `12:${hash.slice(1)}`, `12:${hash.toUpperCase()}`])(
    'is not "%s"',
    (text) => {
      expect(() => parseChainHeadFlag(text)).toThrow('--head: expected SEQ:HASH')
    },
  )
})
