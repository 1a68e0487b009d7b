import { expect, test } from 'bun:test'

import { readEventStream } from './event-stream.ts'

test('the data of each event, whatever the line ends', () => {
  const stream = 'event: message\nid: 1\ndata: {"a":1}\n\n: comment\n\ndata:two\ndata: lines\n\n'
  const expected = ['{"a":1}', 'two\nlines']
  for (const end of ['\n', '\r\n', '\r']) {
    expect(readEventStream(stream.replaceAll('\n', end))).toEqual(expected)
  }
})

test('an event without data is none, and an empty one is empty', () => {
  expect(readEventStream('retry: 5\n\ndata\n\ndata:\n\n')).toEqual(['', ''])
  expect(readEventStream('')).toEqual([])
})

test('a last event without its blank line still counts', () => {
  expect(readEventStream('\uFEFFdata: x')).toEqual(['x'])
})
