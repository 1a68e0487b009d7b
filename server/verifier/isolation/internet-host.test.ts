import { expect, test } from 'bun:test'

import { isInternetHost } from './internet-host.ts'

test('public addresses and names with a domain are on the Internet', () => {
  for (const host of ['node.example', 'node.example.', '93.184.216.34', '[2606:4700::1]'])
    expect([host, isInternetHost(host)]).toEqual([host, true])
})

test('private addresses and names of the own network are not', () => {
  const own = [
    'localhost',
    'geth',
    '127.0.0.1',
    '10.1.2.3',
    '[::1]',
    '[fd00::1]',
    'node.local',
    'node.internal',
    '',
  ]
  for (const host of own) expect([host, isInternetHost(host)]).toEqual([host, false])
})
