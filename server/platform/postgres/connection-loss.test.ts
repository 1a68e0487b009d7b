import { expect, test } from 'bun:test'
import { mkdirSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { isUnavailable } from './connection-loss.ts'

const withCode = (code: string): Error => Object.assign(new Error('a failure'), { code })

test.each([
  'CONNECTION_CLOSED',
  'CONNECT_TIMEOUT',
  'ECONNREFUSED',
  'ENOENT',
  '08006',
  '53100',
  '57P01',
  '57P03',
  '57014',
  '57P05',
  '25006',
  '26000',
  '42P05',
])('%s: the server is away, full or late', (code) => expect(isUnavailable(withCode(code))).toBe(true))

test.each(['23505', '23503', '40001', '42P01', '22P02', '28P01', '55P03', '25P02'])(
  '%s: the statement was refused',
  (code) => expect(isUnavailable(withCode(code))).toBe(false),
)

const nowhere = join(tmpdir(), 'no-such-folder', 'below')

test('a socket that is not there is a server that is away, and a folder that is not there is not', async () => {
  const refused = await new Promise((resolve) => connect(nowhere).on('error', resolve))
  expect(refused).toMatchObject({ code: 'ENOENT' })
  expect(isUnavailable(refused)).toBe(true)
  try {
    mkdirSync(nowhere)
    expect.unreachable()
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOENT' })
    expect(isUnavailable(error)).toBe(false)
  }
})

test('what is no error of the database', () => {
  expect(isUnavailable(new TypeError('a mistake'))).toBe(false)
  expect(isUnavailable('ECONNREFUSED')).toBe(false)
})
