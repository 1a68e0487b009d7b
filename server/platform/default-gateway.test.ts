import { expect, test } from 'bun:test'

import { answersTcp, defaultGatewayOf } from './default-gateway.ts'

const header = 'Iface\tDestination\tGateway \tFlags\tRefCnt\tUse\tMetric\tMask\t\tMTU\tWindow\tIRTT'
const local = 'eth0\t0000A8C0\t00000000\t0001\t0\t0\t0\t00FFFFFF\t0\t0\t0'

test.each([
  [
    'the gateway of the default route',
    [local, 'eth0\t00000000\t0101A8C0\t0003\t0\t0\t0\t00000000\t0\t0\t0'],
    '192.168.1.1',
  ],
  ['a default route without a gateway', ['tun0\t00000000\t00000000\t0001\t0\t0\t0\t00000000\t0\t0\t0'], null],
  ['no default route', [local], null],
  ['nothing', [], null],
  ['something else', ['\t\t', 'eth0\t00000000\tzz\t0003'], null],
])('%s', (_, lines, expected) => {
  expect(defaultGatewayOf([header, ...lines, ''].join('\n'))).toBe(expected)
})

test('an open port answers, and so does a closed one', async () => {
  const server = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const { port } = server
  expect(await answersTcp('127.0.0.1', port)).toBe(true)
  server.stop(true)
  expect(await answersTcp('127.0.0.1', port)).toBe(true)
})
