import { expect, test } from 'bun:test'
import fc from 'fast-check'

import { createQuotedSecret } from './quoted-secret.ts'

const secret = 'sk/live+"42"~token='
const hide = (value: unknown, sent = secret) =>
  createQuotedSecret(sent, () => undefined)?.hiddenInAll(value) ?? value

test.each<[form: string, quoted: string]>([
  ['as it is', secret],
  ['percent-encoded', encodeURIComponent(secret)],
  ['percent-encoded in lower case', encodeURIComponent(secret).toLowerCase()],
  ['every character percent-encoded', Buffer.from(secret).toString('hex').replaceAll(/../g, '%$&')],
  ['as JSON', JSON.stringify(secret)],
  ['as JSON with escaped slashes', JSON.stringify(secret).replaceAll('/', String.raw`\/`)],
  ['as JSON in JSON', JSON.stringify(JSON.stringify(secret)).replaceAll(String.raw`\\\"`, String.raw`\"`)],
  ['in Base64', Buffer.from(secret).toString('base64')],
  ['in Base64 of a whole header', Buffer.from(`Bearer ${secret}`).toString('base64')],
  ['in Base64 for addresses, behind a name', Buffer.from(`user:${secret}`).toString('base64url')],
])('a secret is hidden %s', (_, quoted) => {
  const hidden = hide({ at: [`before ${quoted} after`], [quoted]: 1 })
  const text = JSON.stringify(hidden)
  expect(text).toContain('before ')
  expect(text.match(/\[secret\]/g)).toHaveLength(2)
  const lost = [secret, encodeURIComponent(secret), Buffer.from(secret).toString('base64').slice(4, -4)]
  for (const form of lost) expect(text).not.toContain(form)
})

test('a token is hidden where the whole header value was sent', () => {
  expect(hide('you sent abcdefgh-12345', 'Token abcdefgh-12345')).toBe('you sent [secret]')
})

test('a password is hidden where a header of scheme Basic was sent, with its user and alone', () => {
  const password = 'p€ss+🔑/1'
  const sent = `Basic ${Buffer.from(`ann:${password}`).toString('base64')}`
  const quotes = [
    `ann:${password}`,
    `"${password}"`,
    encodeURIComponent(password).toLowerCase(),
    String.raw`p\u20ACss+\ud83d\udd11/1`,
    sent,
    sent.slice('Basic '.length),
  ]
  for (const quote of quotes)
    expect(hide(`ann, ${quote} is wrong`, sent)).toMatch(/^ann, "?\[secret\]"? is wrong$/)
  expect(hide('ann, that is wrong', sent)).toBe('ann, that is wrong')
  const inBase64 = Buffer.from(`the password is ${password}, ann`).toString('base64')
  expect(hide(inBase64, sent)).toContain('[secret]')
})

test('what does not hold the secret is the same object, and short words are no secrets', () => {
  const value = { content: [{ type: 'text', text: 'a good day' }], deep: { list: [1, null, true] } }
  expect(hide(value)).toBe(value)
  expect(hide('a good day', 'good')).toBe('a good day')
})

test('whatever the secret is, no text keeps it', () => {
  const secrets = fc.string({
    unit: fc.integer({ min: 33, max: 126 }).map((code) => String.fromCodePoint(code)),
    minLength: 8,
    maxLength: 40,
  })
  fc.assert(
    fc.property(secrets, fc.string(), (sent, around) => {
      for (const form of [sent, encodeURIComponent(sent), JSON.stringify(sent)]) {
        const hidden = String(hide(`${around}${form}${around}`, sent))
        expect(hidden.replaceAll(around, '')).not.toContain(sent)
        expect(hidden).toContain('[secret]')
      }
      const text = Buffer.from(`${around}${sent}`).toString('base64')
      expect(hide(text, sent)).toContain('[secret]')
    }),
  )
})
