import { expect, test } from 'bun:test'
import { gzipSync } from 'node:zlib'

import { createCanaries } from './canaries.ts'

const canaries = createCanaries()
const canary = canaries.plant('key')

const forms: [form: string, output: string | Uint8Array][] = [
  ['plain', `before ${canary} after`],
  ['hex', Buffer.from(`x${canary}y`).toString('hex')],
  ['HEX', Buffer.from(canary).toString('hex').toUpperCase()],
  ['base64', Buffer.from(canary).toString('base64')],
  ['base64, one byte later', Buffer.from(`x${canary}y`).toString('base64')],
  ['base64url, two bytes later', Buffer.from(`xy${canary}z`).toString('base64url')],
  ['gzip', gzipSync(`x${canary}`)],
  ['gzip among other bytes', Buffer.concat([Buffer.from('before'), gzipSync(canary), Buffer.from('after')])],
  ['gzip in base64', `"${gzipSync(canary).toString('base64')}"`],
  ['gzip in hex', String.raw`\x${gzipSync(canary).toString('hex')}`],
]

test.each(forms)('a canary is found in %s', (_, output) => {
  expect(canaries.findIn(output)).toEqual(['key'])
})

test('nothing is found where nothing is', () => {
  expect(canaries.findIn(`cnry${'0'.repeat(14)} H4sIx 1f8b0800 \x1f\x8b\x08`)).toEqual([])
})
