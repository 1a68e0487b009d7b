import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { EventBlocks } from './event-blocks.ts'

/** Takes a text in pieces that end at these places. */
function cut(text: string, places: readonly number[]) {
  const bytes = Buffer.from(text)
  const blocks = new EventBlocks()
  const ends = [...places.map((place) => place % (bytes.length + 1)), bytes.length].toSorted((a, b) => a - b)
  let from = 0
  return ends.flatMap((end) => {
    const piece = bytes.subarray(from, end)
    from = end
    return blocks
      .take(piece)
      .map(({ bytes: own, isEvent }) => [Buffer.from(own).toString(), isEvent] as const)
  })
}

test.each([
  ['event: head\ndata: {}\n\n', [['event: head\ndata: {}\n\n', true]]],
  [
    'data: 1\r\n\r\ndata: 2\r\n\r\n',
    [
      ['data: 1\r\n\r', true],
      ['\ndata: 2\r\n\r', true],
    ],
  ],
  [
    'data: 1\r\rdata: 2\r\r',
    [
      ['data: 1\r\r', true],
      ['data: 2\r\r', true],
    ],
  ],
  [
    ':\n\n: more\n\n',
    [
      [':\n\n', false],
      [': more\n\n', false],
    ],
  ],
  [': a comment\ndata: 1\n\n', [[': a comment\ndata: 1\n\n', true]]],
  ['id: 7\n\n', [['id: 7\n\n', true]]],
  ['data: not whole\n', []],
  [
    '\n\n',
    [
      ['\n', false],
      ['\n', false],
    ],
  ],
] as const)('%j', (text, blocks) => {
  expect(cut(text, [])).toEqual(blocks.map(([own, isEvent]) => [own, isEvent]))
})

test('however a stream is cut into pieces, its blocks are the same, and nothing is lost', () => {
  const part = fc.constantFrom('data: ä', ':', '\n', '\r\n', '\r', '\n\n', 'id: 1')
  fc.assert(
    fc.property(fc.array(part, { maxLength: 30 }), fc.array(fc.nat(), { maxLength: 6 }), (parts, places) => {
      const text = `${parts.join('')}x\n\n`
      const whole = cut(text, [])
      expect(whole.map(([own]) => own).join('')).toBe(text)
      expect(cut(text, places).map(([, isEvent]) => isEvent)).toEqual(whole.map(([, isEvent]) => isEvent))
    }),
  )
})
