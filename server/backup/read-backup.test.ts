import { describe, expect, test } from 'bun:test'
import { createHash } from 'node:crypto'
import fc from 'fast-check'

import { recordLine } from './format.ts'
import { BackupDamaged, type BackupPiece, readBackup } from './read-backup.ts'
import { sampleBackup, sampleHeader } from './test-support/sample-backup.ts'

async function* inChunks(bytes: Uint8Array, sizes: readonly number[]): AsyncGenerator<Uint8Array> {
  let at = 0
  for (let turn = 0; at < bytes.length; turn++) {
    const size = sizes[turn % sizes.length] ?? 1
    yield bytes.subarray(at, at + size)
    at += size
  }
}

async function piecesOf(bytes: Uint8Array, sizes: readonly number[] = [1024]): Promise<BackupPiece[]> {
  return await Array.fromAsync(readBackup(inChunks(bytes, sizes)))
}

const rows = [
  { table: 'services', text: 'a\tNode A\nb\tNode\\nB\n', count: 2 },
  { table: 'services', text: 'c\t\\N\n', count: 1 },
  { table: 'verifiers', text: `${'é'.repeat(5000)}\tx\n`, count: 1 },
]
const whole = sampleBackup(rows)

describe('a sound backup', () => {
  test('is read the same in whatever pieces it comes', async () => {
    const expected = await piecesOf(whole)
    expect(expected.map(({ kind }) => kind)).toEqual(['header', 'rows', 'rows', 'rows', 'end'])
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 1, max: 3000 }), { minLength: 1 }), async (sizes) => {
        expect(await piecesOf(whole, sizes)).toEqual(expected)
      }),
      { numRuns: 50 },
    )
  })

  test('gives back the rows and their numbers', async () => {
    const pieces = await piecesOf(whole)
    const texts = pieces.flatMap((piece) =>
      piece.kind === 'rows' ? [new TextDecoder().decode(piece.bytes)] : [],
    )
    expect(texts).toEqual(rows.map(({ text }) => text))
    expect(pieces.at(-1)).toEqual({ kind: 'end', rows: { services: 3, verifiers: 1 } })
  })
})

describe('a backup is refused', () => {
  test('wherever it is cut off', async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: whole.length - 1 }), async (length) => {
        await expect(piecesOf(whole.subarray(0, length))).rejects.toThrow(BackupDamaged)
      }),
    )
  })

  test('whichever byte of it is changed', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: whole.length - 1 }),
        fc.integer({ min: 1, max: 255 }),
        async (at, change) => {
          const changed = Uint8Array.from(whole)
          changed[at] = (whole[at] ?? 0) ^ change
          await expect(piecesOf(changed)).rejects.toThrow(BackupDamaged)
        },
      ),
    )
  })

  test.each([
    ['something behind its end', Buffer.concat([whole, Buffer.from('\n')]), 'goes on behind its end'],
    ['nothing in it', new Uint8Array(), 'is cut short'],
    ['other text in it', Buffer.from('hello\n'), 'is no backup of Gatehouse, or its beginning is damaged'],
    [
      'another format',
      Buffer.from('{"kind":"gatehouse-backup","version":2}\n'),
      'has format 2, and this version of Gatehouse reads 1',
    ],
    ['a failed end', failedBackup('the database is away'), 'was not finished: the database is away'],
    [
      'rows of a table that is not in its header',
      sampleBackup([{ table: 'strangers', text: 'x\n', count: 1 }]),
      'has rows of a table that it does not name, strangers',
    ],
    [
      'other numbers of rows at its end',
      sampleBackup(rows, { services: 2, verifiers: 1 }),
      'does not hold the rows that it counts',
    ],
  ])('with %s', async (_, bytes, message) => {
    await expect(piecesOf(bytes)).rejects.toThrow(message)
  })

  test('whose header holds more than names', async () => {
    const header = sampleHeader({
      partitions: [{ name: 'p', table: 'services', from: "x'); DROP TABLE services; --", to: 'y' }],
    })
    const bytes = Buffer.from(`${JSON.stringify(header)}\n`)
    await expect(piecesOf(bytes)).rejects.toThrow('has a damaged header')
  })
})

function failedBackup(reason: string): Uint8Array {
  return Buffer.concat([recordLine(sampleHeader({})), recordLine({ kind: 'failed', reason })])
}

test('the checksum is that of everything before the last line', () => {
  const lastLine = whole.lastIndexOf(0x0a, whole.length - 2) + 1
  const end: unknown = JSON.parse(new TextDecoder().decode(whole.subarray(lastLine)))
  const sha256 = createHash('sha256').update(whole.subarray(0, lastLine)).digest('hex')
  expect(end).toMatchObject({ kind: 'end', sha256 })
})
