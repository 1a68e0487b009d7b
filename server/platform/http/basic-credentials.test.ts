import { expect, test } from 'bun:test'

import { basicCredentials } from './basic-credentials.ts'

const basic = (text: string): string => `Basic ${Buffer.from(text).toString('base64')}`

test.each([
  [basic('Aladdin:open sesame'), { user: 'Aladdin', password: 'open sesame' }], // RFC 7617, section 2
  [basic('test:123£'), { user: 'test', password: '123£' }], // RFC 7617, section 2.1
  [basic(':key'), { user: '', password: 'key' }],
  [basic('user:a:b'), { user: 'user', password: 'a:b' }],
  [basic('user:key').replace('Basic', 'bAsIc  '), { user: 'user', password: 'key' }],
])('%s', (header, expected) => {
  expect(basicCredentials(header)).toEqual(expected)
})

test.each([null, '', 'Basic', 'Basic !', basic('no colon'), 'Bearer YTpi', 'Basic YTpi YTpi', 'Basic YT=pi'])(
  '%s is none',
  (header) => {
    expect(basicCredentials(header)).toBeNull()
  },
)
