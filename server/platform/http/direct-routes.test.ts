import { expect, test } from 'bun:test'

import { type HotRoute, findHot } from './direct-routes.ts'

const route: HotRoute = {
  prefix: '/health/',
  segment: /^[A-Za-z0-9._:-]{1,128}$/,
  template: '/health/:serviceId',
  answer: () => new Response(),
}

const segmentOf = (url: string, method = 'GET') =>
  findHot([route], new Request(url, { method }))?.segment ?? null

test('a plain path is found, on any host and port', () => {
  expect(segmentOf('http://a/health/node-a')).toBe('node-a')
  expect(segmentOf('https://gatehouse.example:8443/health/0x72:70.6-3a_')).toBe('0x72:70.6-3a_')
})

test('everything else goes to the ordinary route', () => {
  for (const path of [
    '/health/',
    '/health',
    '/health/a/details',
    '/health/a?x=1',
    '/health/%61',
    '/healthz',
    '/x/health/a',
    `/health/${'a'.repeat(129)}`,
  ]) {
    expect(segmentOf(`http://host${path}`)).toBeNull()
  }
  expect(segmentOf('http://host/health/a', 'POST')).toBeNull()
  expect(segmentOf('http://host/health/a', 'HEAD')).toBeNull()
  expect(segmentOf('http://health/health/a')).toBe('a')
})
