import { expect, test } from 'bun:test'

import { isDomainAllowed, parseDomainRule } from '../../shared/allowed-domains.ts'
import { sampleOrigin } from '../keys/sample-origin.ts'
import { curlLine } from './curl-line.ts'

test('a command tries the key at this installation', () => {
  expect(curlLine('gak_value', [], 'https://gatehouse.example')).toBe(
    "curl 'https://gatehouse.example/account/api-key' \\\n  -H 'Authorization: Bearer gak_value'",
  )
})

test.each(['*', 'example.com', '*.example.com', 'http://*.app-*.example.com:8080', 'a.*.example.com'])(
  'for %s it comes from a page that is let in',
  (entry) => {
    const reading = parseDomainRule(entry)
    const origin = sampleOrigin(entry)
    expect(reading.kind === 'rule' && isDomainAllowed([reading.rule], origin)).toBe(true)
    expect(curlLine('gak_value', [entry], 'http://localhost')).toEndWith(`-H 'Origin: ${origin}'`)
  },
)
