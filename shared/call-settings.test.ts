import { describe, expect, test } from 'bun:test'

import {
  bodyBoundsOf,
  cacheMsOf,
  callSettingsOf,
  EndpointSettings,
  settingProblems,
} from './call-settings.ts'

const problems = (settings: object) =>
  settingProblems(EndpointSettings.parse(settings)).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  )

const refusals = (settings: object) =>
  EndpointSettings.safeParse(settings).error?.issues.map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  )

describe('what holds for a method', () => {
  const settings = EndpointSettings.parse({
    totalMs: 20_000,
    attempts: 2,
    byMethod: {
      '*': { attempts: 3 },
      'debug_*': { totalMs: 60_000, hedge: 'off' },
      'debug_trace*': { attempts: 1 },
      debug_traceCall: { totalMs: 90_000 },
    },
  })

  test.each([
    ['eth_call', { totalMs: 20_000, attempts: 3 }],
    ['debug_getRawBlock', { totalMs: 60_000, attempts: 3, hedge: 'off' }],
    ['debug_traceBlock', { totalMs: 60_000, attempts: 1, hedge: 'off' }],
    ['debug_traceCall', { totalMs: 90_000, attempts: 1, hedge: 'off' }],
    ['debug_traceCallMany', { totalMs: 60_000, attempts: 1, hedge: 'off' }],
  ] as const)('%s: the narrowest place wins, field by field', (method, expected) => {
    expect(callSettingsOf(settings, method)).toEqual(expected)
  })

  test('a name wins over the same text with an asterisk', () => {
    const both = EndpointSettings.parse({
      byMethod: { eth_call: { attempts: 1 }, 'eth_call*': { attempts: 2 } },
    })
    expect(callSettingsOf(both, 'eth_call')).toEqual({ attempts: 1 })
    expect(callSettingsOf(both, 'eth_callMany')).toEqual({ attempts: 2 })
  })
})

test('the bounds of bodies are the narrowest and the widest of all places', () => {
  expect(bodyBoundsOf({ byMethod: {} })).toEqual({ all: 5_242_880, some: 5_242_880 })
  const byMethod = { eth_sendRawTransaction: { bodyBytes: 8_000_000 }, eth_call: { bodyBytes: 2_048 } }
  expect(bodyBoundsOf({ bodyBytes: 10_000, byMethod })).toEqual({ all: 2_048, some: 8_000_000 })
})

test.each([
  [{}, []],
  [{ totalMs: 500 }, []],
  [{ totalMs: 500, hedge: 'p99' }, []],
  [{ firstByteMs: 60_000 }, ['firstByteMs: firstByteMs (60000) is longer than totalMs (30000)']],
  [{ firstByteMs: 60_000, totalMs: 60_000, hedge: 59_999 }, []],
  [{ totalMs: 500, hedge: 500 }, ['hedge: hedge (500) is not shorter than totalMs (500)']],
  [{ hedge: 40_000 }, ['hedge: hedge (40000) is not shorter than totalMs (30000)']],
  [
    { firstByteMs: 400, hedge: 400 },
    ['hedge: hedge (400) is not shorter than firstByteMs (400), so it never happens'],
  ],
  [{ attempts: 1, hedge: 'p95' }, ['hedge: hedge asks a second node, and attempts is 1']],
  [{ attempts: 1, hedge: 'off' }, []],
  [
    { hedge: 900, byMethod: { 'eth_*': { totalMs: 800 }, eth_call: { attempts: 1 } } },
    [
      'byMethod.eth_*.totalMs: hedge (900) is not shorter than totalMs (800)',
      'byMethod.eth_call.attempts: hedge asks a second node, and attempts is 1',
    ],
  ],
  [
    { firstByteMs: 5_000, totalMs: 1_000, byMethod: { eth_call: { totalMs: 6_000 } } },
    ['firstByteMs: firstByteMs (5000) is longer than totalMs (1000)'],
  ],
])('%j: what cannot hold together is named by the field to change', (settings, expected) => {
  expect(problems(settings)).toEqual(expected)
})

test.each([
  [{ attempts: 0 }, ['attempts: a whole number from 1 to 10']],
  [{ firstByteMs: 1.5 }, ['firstByteMs: a whole number from 50 to 200000']],
  [{ hedge: 'p42' }, ['hedge: "off", a percentile (p50, p75, p90, p95, p99), or ms from 10 to 200000']],
  [{ hedge: 5 }, ['hedge: "off", a percentile (p50, p75, p90, p95, p99), or ms from 10 to 200000']],
  [
    { byMethod: { eth_call: { bodyBytes: 1 } } },
    ['byMethod.eth_call.bodyBytes: a whole number from 1024 to 16777216'],
  ],
])('%j: values out of bounds are refused with what is allowed', (settings, expected) => {
  expect(refusals(settings)).toEqual(expected)
})

const keeping = (pattern: string, cacheFor: string) => ({ byMethod: { [pattern]: { cacheFor } } })

describe('cacheFor', () => {
  test('is for paths that are read', () => {
    expect(problems(keeping('GET /v1/**', '5s'))).toEqual([])
    expect(problems(keeping('GET /v1/**', 'forever'))).toEqual([])
    for (const pattern of ['POST /v1/**', 'eth_call'])
      expect(problems(keeping(pattern, '5s')).join('')).toContain(`byMethod.${pattern}.cacheFor`)
    for (const wrong of ['', '5', '0s', '-1s', '5 s', '1y', 'Forever', '100000s'])
      expect(refusals(keeping('GET /v1/**', wrong))?.join('')).toContain('expected forever, or a time')
    expect(refusals({ cacheFor: '5s' })).toHaveLength(1)
  })

  test('is read in ms', () => {
    const ms = ['5s', '10m', '12h', '7d', 'forever'].map((cacheFor) => cacheMsOf({ cacheFor }))
    expect(ms).toEqual([5_000, 600_000, 43_200_000, 604_800_000, Infinity])
    expect(cacheMsOf({})).toBe(0)
  })
})
