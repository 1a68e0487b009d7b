import { expect, test } from 'bun:test'

import { blocksOf } from './tool-result.ts'

test('shows texts and images, and anything else as it is', () => {
  const svg = { type: 'image', data: 'PHN2Zy8+', mimeType: 'image/svg+xml' }
  expect(
    blocksOf({
      content: [
        { type: 'text', text: '<b>bold</b>' },
        { type: 'image', data: 'aGk=', mimeType: 'image/png' },
        { type: 'image', data: '"onload="', mimeType: 'image/png' },
        svg,
        7,
      ],
    }),
  ).toEqual([
    { kind: 'text', text: '<b>bold</b>' },
    { kind: 'image', source: 'data:image/png;base64,aGk=' },
    { kind: 'other', value: { type: 'image', data: '"onload="', mimeType: 'image/png' } },
    { kind: 'other', value: svg },
    { kind: 'other', value: 7 },
  ])
  expect(blocksOf({})).toEqual([])
})
