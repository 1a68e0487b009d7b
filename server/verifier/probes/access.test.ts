import { expect, test } from 'bun:test'

import { accessOf, addressBelow } from './access.ts'

test('user and password move from the address into a header, decoded', () => {
  const { url, headers } = accessOf({ endpoint: 'http://us%40er:p%3Ass@node:8332/wallet?x=1' })
  expect(url).toBe('http://node:8332/wallet?x=1')
  expect(headers).toEqual({ authorization: `Basic ${btoa('us@er:p:ss')}` })
})

test('a stray percent sign and letters beyond Latin-1 are kept', () => {
  const { headers } = accessOf({ endpoint: 'http://u:100%@node/' })
  expect(headers.authorization).toBe(`Basic ${btoa('u:100%')}`)
  const cyrillic = accessOf({ endpoint: 'http://u:пароль@node/' }).headers.authorization ?? ''
  expect(Buffer.from(cyrillic.slice(6), 'base64').toString()).toBe('u:пароль')
})

test("the service's own headers have the last word, whatever their case", () => {
  const { headers } = accessOf({ endpoint: 'http://u:p@node/', headers: { AUTHORIZATION: 'Bearer t' } })
  expect(headers).toEqual({ authorization: 'Bearer t' })
})

test('what is no address is refused', () => {
  expect(() => accessOf({ endpoint: 'node' })).toThrow('BLOCKED_ADDRESS')
})

test('a path goes below that of the endpoint, and the query stays', () => {
  expect(addressBelow('https://node/key/abc/?token=t', '/block', { height: '7' })).toBe(
    'https://node/key/abc/block?token=t&height=7',
  )
  expect(addressBelow('https://node', '/status')).toBe('https://node/status')
})
