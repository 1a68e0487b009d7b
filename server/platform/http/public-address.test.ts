import { expect, test } from 'bun:test'

import { listeningAddress, publicAddress } from './public-address.ts'

test('a name has one origin', () => {
  expect(publicAddress('https://Gate.example.org/')).toEqual({
    origin: 'https://gate.example.org',
    origins: ['https://gate.example.org'],
    machineNames: null,
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

test('where nobody configured it, it is where the server listens', () => {
  expect(listeningAddress({ host: '::1', port: 3000 }, 'gate')).toEqual(publicAddress('http://[::1]:3000'))
  expect(listeningAddress({ host: '192.0.2.1', port: 80 }, 'gate')).toMatchObject({
    origin: 'http://192.0.2.1',
    machineNames: null,
  })
  for (const host of ['0.0.0.0', '::']) {
    expect(listeningAddress({ host, port: 3000 }, 'Gate')).toEqual({
      origin: 'http://gate:3000',
      origins: ['http://gate:3000'],
      machineNames: ['gate', 'localhost'],
      isTls: false,
      isLoopback: false,
    })
  }
  expect(listeningAddress({ host: '::', port: 1 }, 'no name').origin).toBe('http://localhost:1')
  // A machine that calls itself so is reached from elsewhere all the same.
  expect(listeningAddress({ host: '0.0.0.0', port: 3000 }, 'localhost').isLoopback).toBe(false)
})
