import { describe, expect, test } from 'bun:test'

import { readMessage } from './read-message.ts'

describe('a message of an upstream', () => {
  test('is the answer to a call, its result as it was written', () => {
    expect(readMessage(' {"jsonrpc":"2.0","id":7,"result":1.50e3} ')).toEqual({
      kind: 'answer',
      id: '7',
      answer: { isError: false, text: '1.50e3' },
    })
    expect(readMessage('\uFEFF{"jsonrpc":"2.0","id":"7","result":1}')).toMatchObject({
      kind: 'answer',
      id: '7',
    })
    expect(readMessage('{"id":7,"error":{"code":-1,"message":"no"}}')).toMatchObject({
      kind: 'answer',
      answer: { isError: true, text: '{"code":-1,"message":"no"}' },
    })
  })

  test.each([
    [
      'eth_subscription',
      '{"result":{"big":123456789012345678901},"subscription":',
      '"0x\\u0061"',
      '}',
      '0xa',
    ],
    [
      'slotNotification',
      '{"result":{"slot":76},"subscription":',
      '18446744073709551615',
      '}',
      '18446744073709551615',
    ],
    ['chain_newHead', '{ "subscription" : ', '"Xy9"', ', "result":{}}', 'Xy9'],
    ['starknet_subscriptionNewHeads', '{"subscription_id":', '"77"', ',"result":{}}', '77'],
  ])('is a notification, as it was written but for the id: %s', (method, before, id, after, stream) => {
    const text = `{"jsonrpc":"2.0","method":"${method}","params":${before}${id}${after}}`
    const message = readMessage(text)
    expect(message).toMatchObject({ kind: 'notification', stream, notification: { method } })
    if (message?.kind !== 'notification') throw new Error('it is none')
    const { notification } = message
    expect(notification.before + id + notification.after).toBe(text)
    expect(notification.bytes + id.length).toBe(text.length)
  })

  test.each([
    '',
    'null',
    '[]',
    '{"id":1}',
    '{"id":1,"result":1} more',
    '{"method":"eth_subscription"}',
    '{"method":"eth_subscription","params":[]}',
    '{"method":"eth_subscription","params":{"subscription":1.5}}',
    '{"method":"eth_subscription","params":{"subscription":null}}',
    '{"method":"eth_subscription","params":{"subscription":""}}',
    '{"method":"with \\" quote","params":{"subscription":"0xa"}}',
    `{"id":1,"result":${'['.repeat(3_000)}`,
  ])('is nothing of that: %s', (text) => {
    expect(readMessage(text)).toBeNull()
  })
})
