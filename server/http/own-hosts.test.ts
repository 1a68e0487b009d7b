import { describe, expect, test } from 'bun:test'

import { quickestMs } from '../../tests/support/quickest.ts'
import { createOwnHosts } from './own-hosts.ts'
import { listeningAddress, publicAddress } from '../platform/http/public-address.ts'
import { covers } from '../../tests/support/covers.ts'

const behindProxy = (allowed: readonly string[] = []) =>
  createOwnHosts({
    address: () => publicAddress('https://Gate.example.org'),
    listening: () => listeningAddress({ host: '0.0.0.0', port: 3000 }, 'Pod-7'),
    allowed,
  })

describe('a Host that is', () => {
  covers('threat-42')
  test('a name of ours, loopback, or an IP address is accepted, with any port', () => {
    const hosts = behindProxy(['Gatehouse.internal'])
    for (const host of [
      null,
      'gate.example.org',
      'GATE.example.org:443',
      'pod-7:3000',
      'localhost',
      'localhost:3000',
      '127.0.0.1:3000',
      '10.1.2.3:3000',
      '[::1]:3000',
      '[2001:db8::1]',
      'gatehouse.internal:8080',
    ]) {
      expect(hosts.refusal(host)).toBeNull()
      expect(hosts.refusal(host)).toBeNull()
    }
  })

  test('any other name is refused, and the settings are named', () => {
    const hosts = behindProxy()
    for (const host of [
      '',
      'evil.example',
      'gate.example.org.evil.example',
      'evil-gate.example.org',
      'example.org',
      'localhost.evil.example',
      '127.0.0.1.evil.example:3000',
      'gatehouse.internal',
      'gate.example.org.',
    ]) {
      const refused = hosts.refusal(host)
      expect(refused?.code).toBe('forbidden')
      expect(refused?.message).toContain('use https://gate.example.org;')
      expect(refused?.message).toMatch(/GATEHOUSE_PUBLIC_URL.*GATEHOUSE_ALLOWED_HOSTS/)
    }
  })
})

test('100,000 requests are looked at in less than 50 ms, also when strangers ask for many addresses', () => {
  const hosts = behindProxy()
  for (let port = 1; port < 1_000; port++) hosts.refusal(`127.0.0.1:${port}`)
  hosts.refusal('gate.example.org')
  const ours = () => {
    for (let count = 0; count < 100_000; count++) hosts.refusal('gate.example.org')
  }
  expect(quickestMs(ours)).toBeLessThan(50)
})
