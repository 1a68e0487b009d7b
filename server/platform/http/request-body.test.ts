import { describe, expect, test } from 'bun:test'

import { requireJson, saysJson } from './request-body.ts'

describe('says that it is JSON', () => {
  const types = [
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
    'application/json; profile="x"; charset=utf-8',
    'application/json ; odata=verbose',
  ]
  test.each(types)('%s', (type) => expect(saysJson(new Headers({ 'content-type': type }))).toBe(true))
})

describe('does not say that it is JSON in UTF-8', () => {
  const types = [
    '',
    'text/plain',
    'application/jsonp',
    'application/json; charset=utf-16',
    'application/json; charset="utf-8859"',
    'text/html; application/json',
  ]
  test.each(types)('%s', (type) => expect(saysJson(new Headers({ 'content-type': type }))).toBe(false))
})

test('a compressed body is told apart from another type', () => {
  const headers = new Headers({ 'content-type': 'application/json', 'content-encoding': 'gzip' })
  expect(() => requireJson(headers)).toThrow('The body must not be compressed')
})
