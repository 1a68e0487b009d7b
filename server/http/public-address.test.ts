import { expect, test } from 'bun:test'

import { publicAddress } from './public-address.ts'

test('a name has one origin', () => {
  expect(publicAddress('https://Gate.example.org/')).toEqual({
    origin: 'https://gate.example.org',
    origins: ['https://gate.example.org'],
    isTls: true,
    isLoopback: false,
  })
})

test('a loopback address has three', () => {
  for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
    const { origin, origins, isLoopback, isTls } = publicAddress(`http://${host}:3000`)
    expect(origin).toBe(`http://${host}:3000`)
    expect(origins).toEqual(['http://127.0.0.1:3000', 'http://localhost:3000', 'http://[::1]:3000'])
    expect([isLoopback, isTls]).toEqual([true, false])
  }
})

test('names that only look like loopback are none', () => {
  for (const host of ['localhost.example.org', '127.0.0.1.example.org', 'gate', '0.0.0.0', '192.168.1.2']) {
    expect(publicAddress(`http://${host}`).isLoopback).toBe(false)
  }
  expect(() => publicAddress('ftp://gate.example.org')).toThrow(TypeError)
})
