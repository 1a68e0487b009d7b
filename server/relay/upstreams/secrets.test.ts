import { describe, expect, test } from 'bun:test'

import { secretsOf, withoutSecrets } from './secrets.ts'
import { covers } from '../../../tests/support/covers.ts'

const key = 'a1b2c3d4e5f6g7h8'
const secrets = secretsOf({
  url: `https://mainnet.provider.example/v3/${key}?token=s3cr3t-t0ken`,
  headers: { authorization: 'Bearer header-secret', 'x-short': 'abc' },
})
const clean = (message: string) => withoutSecrets(JSON.stringify({ code: -32000, message }), secrets)

describe('an error of an upstream', () => {
  covers('threat-19')
  test.each([
    `project ${key} is over its limit`,
    `see https://mainnet.provider.example/v3/${key}`,
    'https:\\/\\/mainnet.provider.example is away',
    `no such project: ${key.toUpperCase()}`,
    'wrong token s3cr3t-t0ken',
    'wrong header header-secret',
    'wrong header Bearer header-secret',
  ])('loses what is secret in it: %s', (message) => {
    const cleaned = clean(message).toLowerCase()
    for (const secret of [key, 's3cr3t-t0ken', 'header-secret', 'provider.example']) {
      expect(cleaned).not.toContain(secret)
    }
    expect(JSON.parse(cleaned)).toMatchObject({ code: -32000 })
  })

  test('stays as it is where nothing is secret', () => {
    const error = '{"code":3,"message":"execution reverted: abc v3","data":"0x08c379a0"}'
    expect(withoutSecrets(error, secrets)).toBe(error)
  })

  test('is replaced when it is no JSON without the secret', () => {
    const numbers = secretsOf({ url: 'http://127.0.0.1:8545/1234567890', headers: {} })
    expect(withoutSecrets('{"code":1234567890,"message":"no"}', numbers)).toBe(
      '{"code":-32000,"message":"the node refused the call"}',
    )
  })
})
