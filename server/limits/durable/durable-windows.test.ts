import { afterEach, describe, expect, mock, test } from 'bun:test'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

import type { Period } from '../../../shared/periods.ts'
import { createLimits, type Limits } from '../limits.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { silentLog as log } from '../../../scripts/world/database.ts'
import type { WindowKey } from '../window/window-storage.ts'
import { type DurableWindowsOptions, openDurableWindows } from './durable-windows.ts'
import { covers } from '../../../tests/support/covers.ts'

const folders: string[] = []
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-windows-'))
  folders.push(folder)
  return folder
}

/** One process: its monotonic time begins anew, wall-clock time goes on. */
function process(
  folder: string,
  wallMs: number,
  options: Partial<Pick<DurableWindowsOptions, 'maxFiles' | 'refused'>> = {},
) {
  const time = { sinceMs: 0 }
  const clock = { now: () => wallMs + time.sinceMs, monotonic: () => time.sinceMs }
  const storage = openDurableWindows({
    folder,
    clock,
    refused: (error) => {
      throw error
    },
    ...options,
  })
  const counting = { kind: 'alone', storage } as const
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
  return { time, storage, limits, kinds }
}

const wall = Date.UTC(2026, 0, 1)

const rateOf = (keyId: string, units: number, period: Period = 'minute'): WindowKey => ({
  keyId,
  name: 'rate',
  limit: { units, period },
})

describe('limits over windows in mapped files', () => {
  test.each([3, 5_000])(
    'go on in the next process: of %d a minute, what was taken stays taken',
    async (units) => {
      covers('rate-limit-enforced')
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
    const { storage } = process(folder, wall)
    const own = storage.allocate(rateOf('key_a', 10), 11)
    own?.fill(7)
    if (own !== null) storage.release(own)
    const other = storage.allocate(rateOf('key_b', 12), 13)
    expect([...(other ?? [])]).toEqual(Array.from({ length: 13 }, () => 0))
    expect(other?.byteOffset).toBe(own?.byteOffset ?? -1)
    const next = process(folder, wall).storage
    expect([...(next.allocate(rateOf('key_a', 10), 11) ?? [])].every((cell) => cell === 0)).toBe(true)
    expect(statSync(join(folder, '00.windows')).mode & 0o777).toBe(0o600)
  })

  test('memory is bounded, and windows that ended with their process make room', () => {
    const folder = newFolder()
    const maxFiles = 2
    const { storage } = process(folder, wall, { maxFiles })
    let count = 0
    while (storage.allocate(rateOf(`key_${count}`, 1_024, 'second'), 1_025) !== null) count++
    expect(count * 1_025 * 8).toBeWithin(15 * 1024 * 1024, 16 * 1024 * 1024)
    const next = process(folder, wall + 5_000, { maxFiles })
    expect(next.storage.allocate(rateOf('key_new', 1_024, 'second'), 1_025)).not.toBeNull()
  })

  test('a file that cannot be created is tried again after ten seconds, not with every call', () => {
    const folder = newFolder()
    const refused = mock((_error: unknown) => undefined)
    const { storage, time } = process(folder, wall, { refused })
    mkdirSync(join(folder, '00.windows'))
    const allocate = () => storage.allocate(rateOf('key_a', 10), 11)
    expect([allocate(), allocate()]).toEqual([null, null])
    expect(refused).toHaveBeenCalledTimes(1)
    rmSync(join(folder, '00.windows'), { recursive: true })
    time.sinceMs = 10_001
    expect(allocate()).not.toBeNull()
  })

  test('counts survive the upgrade from version 0.1.0, whose file is continued in place', async () => {
    const folder = newFolder()
    const written = new URL('./test-support/windows-of-0.1.0.gz', import.meta.url)
    writeFileSync(join(folder, '00.lanes'), gunzipSync(readFileSync(written)))
    const credits = { units: 1_000, period: 'month' } as const
    const used = (keyId: string, units: number) => {
      const { limits } = process(folder, wall + 10_000)
      return limits.peek(keyId, { units, period: 'minute' }, credits)
    }
    expect(await used('key_a', 3)).toEqual({ rateUsed: 2, creditsUsed: 900 })
    expect(await used('key_b', 5_000)).toEqual({ rateUsed: 4_999, creditsUsed: 900 })
    const { kinds } = process(folder, wall + 10_000)
    expect(await kinds(3, 2)).toEqual(['admitted', 'refused'])
    // New windows stand beside the old ones, and the next process finds both.
    await process(folder, wall + 10_000).kinds(7, 7)
    const next = process(folder, wall + 20_000)
    expect(await next.kinds(7, 1)).toEqual(['refused'])
    expect(await used('key_b', 5_000)).toEqual({ rateUsed: 4_999, creditsUsed: 900 })
  })

  test('a region that a power cut damaged is free again', () => {
    const folder = newFolder()
    expect(process(folder, wall).storage.allocate(rateOf('key_a', 10), 11)).not.toBeNull()
    const path = join(folder, '00.windows')
    const bytes = readFileSync(path)
    bytes.fill(255, 4_096 + 16, 4_096 + 128)
    writeFileSync(path, bytes)
    expect(process(folder, wall).storage.allocate(rateOf('key_b', 10), 11)?.byteOffset).toBe(4_096 + 128)
  })
})
