import { expect, test } from 'bun:test'

import { appUnderTest, ask } from '../../../tests/acceptance/http-app-under-test.ts'

const under = appUnderTest()
const browser = { headers: { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' } }

test.each([
  ['/animals/', '/animals'],
  ['/animals/cat//', '/animals/cat'],
  ['/animals/?limit=3', '/animals?limit=3'],
])('%s leads to %s, with its method', async (given, wanted) => {
  for (const init of [{}, browser, { method: 'POST' }]) {
    const { status, headers } = await ask(under, given, init)
    expect([status, headers.get('location')]).toEqual([308, wanted])
  }
})

test.each(['/', '//', '/nothing/', '//animals/', '//other.example/animals/'])(
  '%s leads nowhere',
  async (path) => {
    expect((await ask(under, path)).headers.get('location')).toBeNull()
  },
)

test('a browser gets a page with links to what there is, and a program the ErrorResponse', async () => {
  const page = await ask(under, '/nothing', browser)
  expect(page.status).toBe(404)
  expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8')
  expect(page.headers.get('content-security-policy')).toStartWith("default-src 'none'")
  expect(page.text).toContain('<a href="/reference">')
  for (const accept of ['*/*', 'application/json']) {
    const { status, text } = await ask(under, '/nothing', { headers: { accept } })
    expect([status, JSON.parse(text)]).toEqual([
      404,
      { error: { code: 'not_found', message: 'There is nothing at this address' } },
    ])
  }
})

test('what is missing at an address that exists is the ErrorResponse for browsers, too', async () => {
  const { status, headers } = await ask(under, '/animals/dog', browser)
  expect(status).toBe(404)
  expect(headers.get('content-type')).toStartWith('application/json')
})
