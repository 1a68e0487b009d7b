import { expect, test } from 'bun:test'

import { target } from '../../verifier/test-support/fixtures.ts'
import { canariesOf } from './canaries.ts'

const targets = [
  target('a', { endpoint: 'https://node.example/key' }),
  target('anchor:testnet:0', { endpoint: 'https://anchor.example/s3cret', hidden: true }),
  target('anchor:testnet:1', { endpoint: 'http://[2001:db8::1]:8545/s3cret', hidden: true }),
  target('anchor:testnet:2', { endpoint: 'https://node.example:8545/', hidden: true }),
]
const ask = (canaries: string[], defaultCanaries: boolean) =>
  canariesOf({ canaries, defaultCanaries }, targets)

test('without hosts of one’s own, verifiers ask root name servers and anchors on other hosts, without their secrets', () => {
  const { canaries, defaultCanaries = [] } = ask([], true)
  expect(canaries).toEqual([])
  expect(defaultCanaries).toContain('198.41.0.4:53')
  expect(defaultCanaries.slice(-2)).toEqual(['anchor.example:443', '[2001:db8::1]:8545'])
  expect(JSON.stringify(defaultCanaries)).not.toContain('s3cret')
  for (const address of defaultCanaries) expect(URL.canParse(`http://${address}/`)).toBe(true)
})

test('hosts of one’s own are asked in their place, and nobody where that is switched off', () => {
  expect(ask(['https://mine.example/'], true)).toEqual({ canaries: ['https://mine.example/'] })
  expect(ask([], false)).toEqual({ canaries: [], defaultCanaries: [] })
})
