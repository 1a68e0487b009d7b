import { describe, expect, test } from 'bun:test'

import { Fault } from '../platform/fault.ts'
import { findAskedAddresses } from './asked-addresses.ts'

const names: Readonly<Record<string, readonly string[]>> = {
  'node.internal': ['10.0.0.5', 'fd00:1::5', '10.0.0.5', '8.8.8.8'],
  'public.example': ['8.8.8.8', '2606:4700::1111'],
  'trap.example': ['10.0.0.5', '169.254.169.254'],
  'zone.example': ['10.0.0.5', 'fe80::1%eth0'],
}

const resolve = async (host: string): Promise<readonly string[]> => {
  const found = names[host]
  if (found === undefined) throw new Error('ENOTFOUND')
  return found
}

const ask = (given: string) => findAskedAddresses(given, resolve)

async function refusalOf(given: string): Promise<string> {
  const error: unknown = await ask(given).then(
    () => null,
    (reason: unknown) => reason,
  )
  if (!(error instanceof Fault)) throw new TypeError(`not refused: ${given}`)
  expect(error.code).toBe('invalid_request')
  return error.message
}

describe('what is asked for', () => {
  test.each([
    ['10.0.0.5', '10.0.0.5'],
    [' 10.0.0.5 ', '10.0.0.5'],
    ['10.0.0.5:8545', '10.0.0.5'],
    ['http://10.0.0.5:8545/key?secret=1', '10.0.0.5'],
    ['wss://user:secret@10.0.0.5/', '10.0.0.5'],
    ['http://0x7f.1/', '127.0.0.1'],
    ['::ffff:10.0.0.5', '10.0.0.5'],
    ['FD00:0001:0::5', 'fd00:1::5'],
    ['[fd00:1::5]:8545', 'fd00:1::5'],
    ['http://[::1]/', '::1'],
    ['100.64.0.7', '100.64.0.7'],
  ])('an address: %s', async (given, address) => {
    expect(await ask(given)).toEqual({ name: null, addresses: [address] })
  })

  test.each(['node.internal', 'https://node.internal:8545/v1', 'NODE.internal'])(
    'the private addresses of a name, each once: %s',
    async (given) => {
      expect(await ask(given)).toEqual({ name: 'node.internal', addresses: ['10.0.0.5', 'fd00:1::5'] })
    },
  )
})

describe('what is refused', () => {
  test.each([
    '169.254.169.254',
    '169.254.170.2',
    'http://169.254.169.254/latest/meta-data',
    'http://2852039166/',
    '::ffff:169.254.169.254',
    'fe80::1',
    'fd00:ec2::254',
    'fd00:ec2::23',
    'fd20:ce::254',
    'fd00:42::42',
    'fd00:a9fe:a9fe::1',
    '100.100.100.200',
    '192.0.0.192',
    '168.63.129.16',
    '161.26.0.10',
    '166.9.48.1',
    '0.0.0.0',
    '::',
    '255.255.255.255',
    '224.0.0.1',
    'ff02::1',
    '240.0.0.1',
    '198.18.0.1',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    'fec0::1',
  ])('what operators may never allow: %s', async (given) => {
    const refusal = await refusalOf(given)
    expect(refusal).toContain('cannot be allowed here')
    expect(refusal).toContain('GATEHOUSE_ALLOW_PRIVATE')
  })

  test('a name as a whole, when one of its addresses is such', async () => {
    expect(await refusalOf('trap.example')).toStartWith('address: 169.254.169.254 cannot be allowed here')
    expect(await refusalOf('zone.example')).toStartWith(
      'address: the addresses of zone.example are not found',
    )
  })

  test('what is public, because there is nothing to allow', async () => {
    expect(await refusalOf('8.8.8.8')).toBe(
      'address: nothing to allow: 8.8.8.8, which is public and not refused',
    )
    expect(await refusalOf('public.example')).toBe(
      'address: nothing to allow: public.example is at 8.8.8.8, 2606:4700::1111, which is public and not refused',
    )
  })

  test('a name that is not known', async () => {
    expect(await refusalOf('http://unknown.example/?key=secret')).toBe(
      'address: the addresses of unknown.example are not found: give one of them itself',
    )
  })

  test.each(['10.0.0.0/8', 'ftp://10.0.0.5/', 'http://', 'a b', 'file:///etc/passwd'])(
    'what is neither, without repeating it: %s',
    async (given) => {
      const refusal = await refusalOf(given)
      expect(refusal).toStartWith('address: expected an IP address')
      expect(refusal).not.toContain(given)
    },
  )
})
