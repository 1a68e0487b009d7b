import { expect, test } from 'bun:test'

import { createLog } from '../platform/log.ts'
import { createUnnamedProxies } from './unnamed-proxies.ts'

function proxiesUnderTest(named: readonly string[] = []) {
  let now = 0
  const lines: string[] = []
  const log = createLog({ level: 'warn', destination: { write: (line: string) => void lines.push(line) } })
  const proxies = createUnnamedProxies({ log, named, clock: { monotonic: () => now } })
  return { proxies, lines, pass: (ms: number) => void (now += ms) }
}

test('a proxy is told of once, with the setting that names it beside the others', () => {
  const { proxies, lines } = proxiesUnderTest(['10.0.0.0/8', '::1'])
  expect(proxies.current()).toBeNull()
  for (let count = 0; count < 100; count++) proxies.note('192.0.2.1')
  expect(lines).toHaveLength(1)
  expect(lines[0]).toContain('GATEHOUSE_TRUSTED_PROXIES=10.0.0.0/8,::1,192.0.2.1')
  expect(proxies.current()).toEqual({
    address: '192.0.2.1',
    setting: 'GATEHOUSE_TRUSTED_PROXIES=10.0.0.0/8,::1,192.0.2.1',
  })
})

test('a stranger who forges the header does not hide the proxy, and is forgotten', () => {
  const { proxies, lines, pass } = proxiesUnderTest()
  proxies.note('198.51.100.9')
  for (let count = 0; count < 3; count++) proxies.note('127.0.0.1')
  expect(proxies.current()?.address).toBe('127.0.0.1')
  for (let count = 0; count < 1_000; count++) proxies.note(`198.51.101.${count}`)
  expect(lines.length).toBeLessThanOrEqual(16)
  pass(600_000)
  expect(proxies.current()).toBeNull()
})
