import { afterAll, expect, test } from 'bun:test'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import { removeFolder, temporaryFolder } from '../test-support/usage-under-test.ts'
import { createCounterFiles } from './counter-files.ts'
import { createKeySlots } from './key-slots.ts'
import { createMeter } from './meter.ts'
import { readLeftFile, settledByEnd } from './read-slot.ts'
import { fileBytes, headerBytes, slotBytes, slotsPerFile } from './slot-layout.ts'
import { createUnwrittenSlots } from './unwritten-slots.ts'

const folder = temporaryFolder()
afterAll(() => removeFolder(folder))

/** Takes what version 2 did not have out of a file, as a process of that version would have written it. */
function asVersion2(file: Uint8Array): Uint8Array {
  const old = new Uint8Array(headerBytes + slotsPerFile * 136)
  old.set(file.subarray(0, headerBytes))
  new Uint32Array(old.buffer)[0] = 0x6768_7502
  for (let slot = 0; slot < 3; slot++) {
    const from = headerBytes + slot * slotBytes
    old.set(file.subarray(from, from + 136), headerBytes + slot * 136)
  }
  old.set(file.subarray(fileBytes - 1_000), old.length - 1_000)
  return old
}

test('a file of the version before is read, and what was under way in it is settled', () => {
  const files = createCounterFiles({
    folder,
    writer: 'writer_old',
    maxFiles: 1,
    refused: () => undefined,
    now: () => 0,
  })
  const keySlots = createKeySlots(files, () => 60_000)
  const meter = createMeter({ files, keySlots, unwritten: createUnwrittenSlots() })
  const admit = (method: string) =>
    meter.admit({ id: 'key_a', accountId: 'acc_a', endpoint: 'testnet' }, [{ method, credits: 26 }], 10)
  const settled = { bytesOut: 5, tookMs: 9, creditsBack: [] }
  for (const method of ['eth_call', 'eth_call', 'eth_getLogs', 'eth_chainId'])
    admit(method).settle(['ok'], settled)
  admit('eth_call')
  const left = readLeftFile(asVersion2(new Uint8Array(readFileSync(join(folder, 'writer_old-1.usage')))))
  expect(left).toMatchObject({ writer: 'writer_old', damaged: 0 })
  const slots = left?.slots.map(settledByEnd) ?? []
  expect(slots).toHaveLength(3)
  expect(slots[0]).toMatchObject({ keyId: 'key_a', method: 'eth_call', requests: 3, ok: 2, errors: 1, unanswered: 1, credits: 78, creditsBack: 26 }) // prettier-ignore
  const cut = settledByEnd({ ...slots[0]!, ok: 1, cached: 2, errors: 1, unanswered: 2 })
  expect(cut).toMatchObject({ cached: 1, errors: 2, unanswered: 2 })
  expect(slots[1]).toMatchObject({ method: 'eth_getLogs', requests: 1, ok: 1, errors: 0, creditsBack: 0 })
})
