import { describe, expect, test } from 'bun:test'

import { keyView } from '../keys/test-support/key-view.ts'
import { apiKeyDraftOf, readApiKeyDraft } from './api-key-draft.ts'
import type { ApiKeyDraft, ApiKeyReading } from './api-key-draft.ts'
import { covers } from '../../tests/support/covers.ts'

const now = new Date(2026, 0, 31, 12).getTime()
const good: ApiKeyDraft = { ...apiKeyDraftOf(null, true), name: 'CI' }
const read = (change: Partial<ApiKeyDraft>, kept: number | null = null): ApiKeyReading =>
  readApiKeyDraft({ ...good, ...change }, kept, now)
const mistakesOf = (reading: ApiKeyReading) => (reading.kind === 'mistaken' ? reading.mistakes : null)

describe('a new key', () => {
  test('needs a name and nothing else; no permission is ticked', () => {
    covers('api-key-token-name', 'api-key-permissions')
    expect(apiKeyDraftOf(null, true).permissions).toEqual([])
    expect(mistakesOf(read({ name: ' ' }))).toEqual({ name: 'Give the key a name.' })
    expect(mistakesOf(read({ name: 'x'.repeat(101) }))).toEqual({ name: 'At most 100 characters.' })
    expect(read({ name: ' CI ' })).toEqual({
      kind: 'ready',
      input: { name: 'CI', permissions: [], allowedIps: [], allowedDomains: [], expiresAt: null },
    })
  })

  test('takes up to 100 entries of each kind', () => {
    const many = Array.from({ length: 101 }, (_, place) => `198.51.100.${place}`)
    expect(Object.keys(mistakesOf(read({ allowedIps: many })) ?? {})).toEqual(['allowedIps'])
    expect(read({ allowedIps: many.slice(1) }).kind).toBe('ready')
  })

  test('is not ready with a domain that cannot be, which the field marks', () => {
    expect(read({ allowedDomains: ['*.com'] })).toEqual({ kind: 'mistaken', mistakes: {} })
    expect(read({ allowedDomains: ['*.example.com'] }).kind).toBe('ready')
  })

  test('works through its last day where its owner is', () => {
    covers('api-key-expiration')
    const today = read({ lastDay: '2026-01-31' })
    const end = new Date(2026, 1, 1).getTime() - 1
    expect(today.kind === 'ready' && today.input.expiresAt).toBe(end)
    expect(mistakesOf(read({ lastDay: '2026-01-30' }))).toEqual({
      lastDay: 'This day has passed: choose today or a later one.',
    })
    expect(Object.keys(mistakesOf(read({ lastDay: '99999-01-01' })) ?? {})).toEqual(['lastDay'])
  })
})

describe('the form about a key', () => {
  const expiresAt = new Date(2026, 1, 10, 8, 30).getTime()
  const key = keyView({ name: 'Shop', permissions: ['token_create'], allowedIps: ['192.0.2.1'], expiresAt })

  test('holds its options; an unchanged day leaves the instant alone', () => {
    covers('api-key-creating-and-editing')
    const draft = apiKeyDraftOf(key, false)
    expect(draft).toMatchObject({ name: 'Shop', permissions: ['token_create'], lastDay: '2026-02-10' })
    const reading = readApiKeyDraft(draft, expiresAt, now)
    expect(reading.kind === 'ready' && reading.input.expiresAt).toBe(expiresAt)
  })

  test('for a new key like another leaves out when that one ends', () => {
    expect(apiKeyDraftOf(key, true)).toMatchObject({ name: 'Shop', allowedIps: ['192.0.2.1'], lastDay: null })
  })
})
