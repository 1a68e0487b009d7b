import { expect, test } from 'bun:test'

import { addHeaders, openToAllSites, preparedHeaders, securityHeaders } from './response-headers.ts'

const added = (own: HeadersInit, isTls = false): Record<string, string> => {
  const { headers } = new Response(null, { headers: own })
  addHeaders(headers, securityHeaders(isTls))
  return Object.fromEntries(headers)
}

for (const isTls of [false, true]) {
  test(`a response made from prepared headers carries what every other one does (https: ${isTls})`, () => {
    const prepared = preparedHeaders(openToAllSites)
    expect(added(prepared, isTls)).toEqual(added(openToAllSites, isTls))
    expect('strict-transport-security' in added(prepared, isTls)).toBe(isTls)
  })
}

test('prepared headers keep what they were given, and responses made from them do not change them', () => {
  const prepared = preparedHeaders(openToAllSites)
  expect(prepared.get('cross-origin-resource-policy')).toBe('cross-origin')
  new Response(null, { headers: prepared }).headers.set('etag', '"1"')
  expect(prepared.has('etag')).toBe(false)
})

test('a response with some of the headers gets all of them, with the values of every response', () => {
  const own = { 'permissions-policy': 'camera=*', 'x-content-type-options': 'other' }
  expect(added(own)).toEqual(added({}))
})
