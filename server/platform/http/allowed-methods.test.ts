import { expect, test } from 'bun:test'

import { allowedMethods } from './allowed-methods.ts'

const routes = [
  { method: 'GET', path: '/health/:serviceId' },
  { method: 'GET', path: '/v1/services' },
  { method: 'POST', path: '/v1/services' },
  { method: 'DELETE', path: '/v1/services/:id' },
  { method: 'POST', path: '/trpc/*' },
]

test('the methods of every route that fits the path', () => {
  expect(allowedMethods(routes, '/health/node-a')).toEqual(['GET', 'HEAD'])
  expect(allowedMethods(routes, '/v1/services')).toEqual(['GET', 'HEAD', 'POST'])
  expect(allowedMethods(routes, '/v1/services/node-a')).toEqual(['DELETE'])
  expect(allowedMethods(routes, '/trpc/a/b')).toEqual(['POST'])
})

test('none where no route fits', () => {
  for (const path of ['/', '/health', '/health/', '/health/a/b', '/v1', '/trpc', '/nothing']) {
    expect(allowedMethods(routes, path)).toEqual([])
  }
})
