import { expect, test } from 'bun:test'

import { createCookies } from './cookies.ts'

const value = 'A'.repeat(43)
const read = (header: string, isTls = true) =>
  createCookies({ isTls }).read(new Request('http://localhost', { headers: { cookie: header } }), 'session')

test('reads the cookie of its name among others', () => {
  expect(read(`a=b; __Host-gatehouse=${value}; c=d`)).toBe(value)
  expect(read(`gatehouse=${value}`, false)).toBe(value)
  expect(read(`__Host-gatehouse-visit=${value}`)).toBeNull()
})

test('over https a cookie without the prefix, which any neighbour host can set, is not looked at', () => {
  expect(read(`gatehouse=${value}`)).toBeNull()
  expect(read(`gatehouse=${'B'.repeat(43)}; __Host-gatehouse=${value}`)).toBe(value)
})

test('takes nothing that cannot be ours', () => {
  for (const bad of ['', 'short', `${value}=`, `"${value}"`, 'A'.repeat(101), `${value}%20`]) {
    expect(read(`__Host-gatehouse=${bad}`)).toBeNull()
  }
  expect(createCookies({ isTls: true }).read(new Request('http://localhost'), 'session')).toBeNull()
})
