import { describe, expect, test } from 'bun:test'
import { AddressProblem, parseAddress } from './connection-address.ts'

test('an ordinary address', () => {
  expect(parseAddress('postgres://me:se%40cret@db.example:6543/gatehouse?application_name=mine')).toEqual({
    servers: [{ host: 'db.example', port: 6543 }],
    user: 'me',
    password: 'se@cret',
    database: 'gatehouse',
    tls: 'prefer',
    tlsAuthorities: null,
    isPooled: null,
    parameters: { application_name: 'mine' },
  })
})

test('a password with the characters that ought to be encoded', () => {
  const { password, servers } = parseAddress('postgresql://me:a:b@c%d@db.example/gatehouse')
  expect([password, servers]).toEqual(['a:b@c%d', [{ host: 'db.example', port: 5432 }]])
})

test.each([
  ['postgres://me@%2Fvar%2Frun%2Fpostgresql:6543/gatehouse', '/var/run/postgresql/.s.PGSQL.6543'],
  ['postgres:///gatehouse?host=/var/run/postgresql&sslmode=disable', '/var/run/postgresql/.s.PGSQL.5432'],
])('%s: a folder is a socket', (url, path) => {
  const { servers, parameters } = parseAddress(url)
  expect([servers[0].path, parameters]).toEqual([path, {}])
})

test('several servers', () => {
  const { servers } = parseAddress('postgres://me@one.example:5433,[2001:db8::1]:5434,three/db')
  expect(servers).toEqual([
    { host: 'one.example', port: 5433 },
    { host: '2001:db8::1', port: 5434 },
    { host: 'three', port: 5432 },
  ])
  expect(parseAddress('postgres:///db?host=one,two&port=1,2').servers).toEqual([
    { host: 'one', port: 1 },
    { host: 'two', port: 2 },
  ])
})

describe('TLS', () => {
  test.each([
    ['', 'prefer'],
    ['sslmode=disable', 'disable'],
    ['ssl=false', 'disable'],
    ['sslmode=require', 'require'],
    ['ssl=true', 'require'],
    ['sslmode=require&sslrootcert=/ca.pem', 'verify-ca'],
    ['sslrootcert=/ca.pem', 'verify-ca'],
    ['sslmode=verify-full&sslrootcert=/ca.pem', 'verify-full'],
    ['sslrootcert=system', 'verify-full'],
  ] as const)('%s: %s', (query, tls) => {
    expect(parseAddress(`postgres://me@db.example/db?${query}`)).toMatchObject({ tls, parameters: {} })
  })
})

test.each([
  ['pooler=true', true],
  ['pgbouncer=true', true],
  ['pooler=false', false],
  ['keepalives=1&connect_timeout=10&target_session_attrs=primary', null],
] as const)('%s: pooled %p', (query, isPooled) => {
  expect(parseAddress(`postgres://me@db.example/db?${query}`)).toMatchObject({ isPooled, parameters: {} })
})

test.each([
  'http://db.example/',
  'postgres://one:two:three/db',
  'postgres://db:99999/db',
  'postgres://db/db?sslmode=sometimes',
  'postgres://db/db?target_session_attrs=standby',
  'postgres://db/db?pooler=maybe',
  'postgres://db/db?channel_binding=require',
  'postgres://db/db?sslmode=require&sslcert=/client.pem',
  'postgres://db/db?sslkey=/client.key',
])('%s is refused', (url) => expect(() => parseAddress(url)).toThrow(AddressProblem))

test('a refusal repeats nothing of the address', () => {
  let said = ''
  try {
    parseAddress('postgres://me:secret@db:0x/gatehouse')
  } catch (error) {
    said = String(error)
  }
  expect(said).toContain('AddressProblem')
  expect(said).not.toContain('secret')
})
