import { afterEach, describe, expect, test } from 'bun:test'
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'

import { lifeOfLanes } from '../../limits/left-lanes.ts'
import { createLimits, type Limits } from '../../limits/limits.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { silentLog as log } from '../../../scripts/world/database.ts'
import { temporaryFolder } from '../test-support/usage-under-test.ts'
import { createMappedLanes, type MappedLanes } from './lanes.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function newFolder(): string {
  const folder = temporaryFolder()
  folders.push(folder)
  return folder
}

/** One process: its monotonic time begins anew, wall-clock time goes on. */
function process(folder: string, wallMs: number) {
  const time = { sinceMs: 0 }
  const clock = { now: () => wallMs + time.sinceMs, monotonic: () => time.sinceMs }
  const lanes: MappedLanes = createMappedLanes({
    folder,
    lifeOf: lifeOfLanes,
    clock,
    refused: (error) => {
      throw error
    },
  })
  const counting = { kind: 'alone', lanes, originMicros: lanes.originMicros } as const
  const limits: Limits = createLimits({ clock, log, metrics: createMetrics(), counting })
  const kinds = async (units: number, times: number): Promise<string[]> => {
    const call = {
      keyId: 'key_a',
      rate: { units, period: 'minute' },
      credits: null,
      calls: 1,
      cost: 0,
    } as const
    return Array.fromAsync({ length: times }, async () => (await limits.admit(call)).kind)
  }
  return { time, lanes, kinds }
}

const wall = Date.UTC(2026, 0, 1)

describe('limits over lanes in mapped files', () => {
  test.each([3, 5_000])(
    'go on in the next process: of %d a minute, what was taken stays taken [rate-limit-enforced]',
    async (units) => {
      const folder = newFolder()
      const first = process(folder, wall)
      const taken = units - 1
      expect(new Set(await first.kinds(units, taken))).toEqual(new Set(['admitted']))
      const second = process(folder, wall + 10_000)
      expect(await second.kinds(units, 2)).toEqual(['admitted', 'refused'])
      const third = process(folder, wall + 75_000)
      expect(await third.kinds(units, 1)).toEqual(['admitted'])
    },
  )

  test('a wall clock that was set back opens nothing', async () => {
    const folder = newFolder()
    await process(folder, wall).kinds(3, 3)
    const second = process(folder, wall - 86_400_000)
    expect(await second.kinds(3, 1)).toEqual(['refused'])
    second.time.sinceMs = 60_002
    expect(await second.kinds(3, 1)).toEqual(['admitted'])
  })

  test('regions that were given up are used again, zeroed, and are forgotten by name', () => {
    const folder = newFolder()
    const { lanes } = process(folder, wall)
    const own = lanes.allocate('key_a rate 10/minute', 11)
    own?.fill(7)
    if (own !== null) lanes.release('key_a rate 10/minute', own)
    const other = lanes.allocate('key_b rate 12/minute', 13)
    expect([...(other ?? [])]).toEqual(Array.from({ length: 13 }, () => 0))
    expect(other?.byteOffset).toBe(own?.byteOffset ?? -1)
    const next = process(folder, wall).lanes
    expect([...(next.allocate('key_a rate 10/minute', 11) ?? [])].every((lane) => lane === 0)).toBe(true)
    expect(statSync(join(folder, '00.lanes')).mode & 0o777).toBe(0o600)
  })

  test('memory is bounded, and windows that ended with their process make room', () => {
    const folder = newFolder()
    const { lanes } = process(folder, wall)
    let count = 0
    while (lanes.allocate(`key_${count} rate 1024/second`, 1_025) !== null) count++
    expect(count * 1_025 * 8).toBeWithin(120 * 1024 * 1024, 128 * 1024 * 1024)
    const next = process(folder, wall + 5_000)
    expect(next.lanes.allocate('key_new rate 1024/second', 1_025)).not.toBeNull()
  })
})
