import { expect, test } from 'bun:test'
import { parseAddress } from './connection-address.ts'

test('an ordinary address is left as it is', () => {
  const url = 'postgres://me:secret@db.example:6543/gatehouse?sslmode=require'
  expect(parseAddress(url)).toEqual({ url })
})

test('a folder in place of the host is a socket', () => {
  const { path } = parseAddress('postgres://me:secret@%2Fvar%2Frun%2Fpostgresql:6543/gatehouse')
  expect(path).toBe('/var/run/postgresql/.s.PGSQL.6543')
})

test('a folder as parameter is a socket, and the parameter is not sent to the server', () => {
  const { path, url } = parseAddress('postgres:///gatehouse?host=/var/run/postgresql&sslmode=disable')
  expect(path).toBe('/var/run/postgresql/.s.PGSQL.5432')
  expect(new URL(url).search).toBe('?sslmode=disable')
})

test('a host name as parameter is no socket', () => {
  const url = 'postgres:///gatehouse?host=db.example'
  expect(parseAddress(url)).toEqual({ url })
})
