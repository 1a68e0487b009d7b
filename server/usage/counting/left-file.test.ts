import { afterAll, describe, expect, test } from 'bun:test'
import { mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'

import fc from 'fast-check'

import { removeFolder, temporaryFolder } from '../test-support/usage-under-test.ts'
import { createCounterFiles } from './counter-files.ts'
import { fileBytes, headerBytes, slotsPerFile } from './slot-layout.ts'
import { createKeySlots, maxMethods } from './key-slots.ts'
import { createMeter } from './meter.ts'
import { readLeftFile } from './read-slot.ts'
import { createUnwrittenSlots } from './unwritten-slots.ts'

const folder = temporaryFolder()
afterAll(() => removeFolder(folder))

function meterIn(writer: string, maxFiles = 2) {
  const files = createCounterFiles({ folder, writer, maxFiles, refused: () => undefined, now: () => 0 })
  const meter = createMeter({
    files,
    keySlots: createKeySlots(files, () => 60_000),
    unwritten: createUnwrittenSlots(),
  })
  return { files, meter }
}

const owner = (id: string, endpoint = 'testnet') => ({ id, accountId: 'acc_a', endpoint })
const filesOf = (writer: string) => readdirSync(folder).filter((file) => file.startsWith(writer))
const bytesOf = (writer: string) => new Uint8Array(readFileSync(join(folder, `${writer}-1.usage`)))

describe('a file that a process left', () => {
  const { meter } = meterIn('writer_left')
  for (let key = 0; key < 50; key++) {
    const calls = [{ method: 'eth_call', credits: 26 }, { method: 'Ü', credits: 1 }] // prettier-ignore
    meter
      .admit(owner(`key_${key}`), calls, 10)
      .settle(['ok', 'error'], { bytesOut: 5, tookMs: 9, creditsBack: [] })
  }
  const whole = bytesOf('writer_left')

  test('holds what was counted, readable by its owner only, every byte of it allocated', () => {
    const left = readLeftFile(whole)
    expect(left?.writer).toBe('writer_left')
    expect(left?.slots).toHaveLength(100)
    expect(left?.slots[0]).toMatchObject({ accountId: 'acc_a', keyId: 'key_0', endpoint: 'testnet', method: 'eth_call', minute: 1, requests: 1, credits: 26, ok: 1, errors: 0, bytesIn: 5, bytesOut: 3 }) // prettier-ignore
    expect(left?.slots[1]).toMatchObject({ method: 'other', errors: 1 })
    const { mode, size, blocks } = statSync(join(folder, 'writer_left-1.usage'))
    expect(mode & 0o777).toBe(0o600)
    expect(size).toBe(fileBytes)
    expect(blocks * 512).toBeGreaterThanOrEqual(fileBytes)
  })

  test('after a power cut, in which pages are lost or old, never yields a slot that was not there', () => {
    const known = new Set(readLeftFile(whole)?.slots.map(({ keyId, method }) => `${keyId} ${method}`))
    fc.assert(
      fc.property(fc.array(fc.nat({ max: 12 }), { minLength: 1 }), fc.nat(), (pages, seed) => {
        const cut = whole.slice()
        for (const page of pages) cut.fill(seed % 2 === 0 ? 0 : seed & 0xff, page * 4_096, (page + 1) * 4_096)
        for (const slot of readLeftFile(cut)?.slots ?? [])
          expect(known).toContain(`${slot.keyId} ${slot.method}`)
      }),
    )
    expect(readLeftFile(whole.slice(0, headerBytes))).toBeNull()
    expect(readLeftFile(new Uint8Array(fileBytes))).toBeNull()
  })
})

describe('a file allocated ahead', () => {
  const known = [{ method: 'eth_call', credits: 1 }]

  test('is there before the first call, and counts it', () => {
    const { files, meter } = meterIn('writer_ahead')
    files.allocateAhead()
    files.allocateAhead()
    expect(filesOf('writer_ahead')).toEqual(['writer_ahead-1.usage'])
    meter.admit(owner('key_a'), known, 0)
    expect(filesOf('writer_ahead')).toEqual(['writer_ahead-1.usage'])
    expect(readLeftFile(bytesOf('writer_ahead'))?.slots).toHaveLength(1)
  })

  test('follows one that is half full, is kept while it is empty, and is the next', () => {
    const { files, meter } = meterIn('writer_next')
    for (let key = 0; key <= slotsPerFile / 2; key++) meter.admit(owner(`key_${key}`), known, 0)
    files.allocateAhead()
    files.removeBefore(100)
    expect(filesOf('writer_next')).toHaveLength(2)
    for (let key = 0; key < slotsPerFile; key++) meter.admit(owner(`more_${key}`), known, 0)
    expect(filesOf('writer_next')).toHaveLength(2)
  })

  test('that finds no room says nothing, and is tried again when it is needed', () => {
    const missing = join(folder, 'missing')
    const told: unknown[] = []
    const refused = (error: unknown) => void told.push(error)
    const files = createCounterFiles({ folder: missing, writer: 'w', maxFiles: 2, refused, now: () => 0 })
    files.allocateAhead()
    expect(told).toEqual([])
    mkdirSync(missing)
    expect(files.addSlot({ ...owner('key_a'), namedInFile: 0, nameAt: 0 }, 'eth_call', 1)).toBe(0)
  })
})

describe('what is bounded', () => {
  test(`an endpoint has ${maxMethods} methods, all others are one`, () => {
    const { meter } = meterIn('writer_methods')
    for (let method = 0; method < 1_000; method++)
      meter.admit(owner('key_a'), [{ method: `m${method}`, credits: 1 }], 0)
    meter.admit(owner('key_b', 'mainnet'), [{ method: 'm999', credits: 1 }], 0)
    const slots = readLeftFile(bytesOf('writer_methods'))?.slots ?? []
    expect(slots.filter(({ endpoint }) => endpoint === 'testnet')).toHaveLength(maxMethods + 1)
    expect(slots.find(({ method }) => method === 'other')).toMatchObject({ requests: 800 })
    expect(slots.find(({ endpoint }) => endpoint === 'mainnet')).toMatchObject({ method: 'm999' })
  })

  test('without room for one more slot a call is refused, those of known slots are counted', () => {
    const { meter, files } = meterIn('writer_full', 1)
    const call = [{ method: 'eth_call', credits: 1 }]
    let keys = 0
    const admitNew = () => meter.admit(owner(`key_${keys}`), call, 0)
    expect(() => {
      for (;;) {
        admitNew()
        keys++
      }
    }).toThrow(expect.objectContaining({ code: 'unavailable', retryAfterSec: 2 }))
    meter.admit(owner('key_0'), call, 0)
    meter.refuse(owner('key_none'), call, 'rate')
    expect(files.count()).toBe(1)
    const slots = readLeftFile(bytesOf('writer_full'))?.slots ?? []
    expect(slots).toHaveLength(keys)
    expect(slots.reduce((sum, { requests }) => sum + requests, 0)).toBe(keys + 1)
    expect(readdirSync(folder)).not.toContain('writer_full-2.usage')
  })
})
