import { describe, expect, test } from 'bun:test'

import { readMessage } from './read-message.ts'

describe('a message of an upstream', () => {
  test('is the answer to a call, its result as it was written', () => {
    expect(readMessage(' {"jsonrpc":"2.0","id":7,"result":1.50e3} ')).toEqual({
      kind: 'answer',
      id: '7',
      answer: { isError: false, text: '1.50e3' },
    })
    expect(readMessage('{"id":7,"error":{"code":-1,"message":"no"}}')).toMatchObject({
      kind: 'answer',
      answer: { isError: true, text: '{"code":-1,"message":"no"}' },
    })
  })

  test('is a notification, its parameters as they were written', () => {
    const params = '{"result":{"big":123456789012345678901},"subscription":"0x\\u0061"}'
    expect(readMessage(`{"jsonrpc":"2.0","method":"eth_subscription","params":${params}}`)).toEqual({
      kind: 'notification',
      subscription: '0xa',
      params,
    })
  })

  test.each([
    '',
    'null',
    '[]',
    '{"id":1}',
    '{"id":1,"result":1} more',
    '{"method":"eth_subscription"}',
    '{"method":"eth_subscription","params":[]}',
    '{"method":"eth_subscription","params":{"subscription":1}}',
    '{"method":"other","params":{"subscription":"0xa"}}',
    `{"id":1,"result":${'['.repeat(3_000)}`,
  ])('is nothing of that: %s', (text) => {
    expect(readMessage(text)).toBeNull()
  })
})
