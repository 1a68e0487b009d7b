import { expect, test } from 'bun:test'

import { nextHop } from './redirect.ts'

const headers = { authorization: 'Bearer s3cret' }
const get = { url: 'https://a.example/x', method: 'GET', headers } as const
const post = { ...get, method: 'POST', body: '{}' } as const

test('a redirect within the origin keeps headers, and its address may be relative', () => {
  expect(nextHop(get, 302, '../y?z=1')).toEqual({ url: 'https://a.example/y?z=1', method: 'GET', headers })
  expect(nextHop({ ...get, method: 'HEAD' }, 303, '/y')).toMatchObject({ method: 'HEAD' })
})

test('credentials go to no other origin: another host, port or scheme', () => {
  for (const location of ['https://b.example/', 'https://a.example:8443/', '//b.example/'])
    expect(nextHop(get, 301, location)?.headers).toEqual({})
  expect(nextHop({ ...get, url: 'http://a.example/' }, 301, 'https://a.example/')?.headers).toEqual({})
})

test('a body is sent again only for 307 and 308, and only to its origin', () => {
  for (const status of [301, 302, 303])
    expect(nextHop(post, status, '/y')).toEqual({ url: 'https://a.example/y', method: 'GET', headers })
  for (const status of [307, 308]) {
    expect(nextHop(post, status, '/y')).toEqual({ ...post, url: 'https://a.example/y' })
    expect(nextHop(post, status, 'https://b.example/')).toBeNull()
  }
})

test.each([
  [200, '/y'],
  [304, '/y'],
  [302, null],
  [302, 'http://a.example/'],
  [302, 'file:///etc/passwd'],
  [302, 'javascript:alert(1)'],
  [302, 'https://'],
])('%d to %p is not followed', (status, location) => {
  expect(nextHop(get, status, location)).toBeNull()
})
