import { describe, expect, test } from 'bun:test'

import { auditActions } from '../../shared/audit.ts'
import { subjectPage } from './audit-subject-page.ts'
import { actionOptions, actionPhrase, actorName, subjectName } from './audit-words.ts'
import { auditEntry } from './test-support/entries.ts'

describe('an entry in words', () => {
  test('every action has a title and a phrase', () => {
    expect(actionOptions.map(({ value }) => value)).toEqual([...auditActions])
    expect(new Set(actionOptions.map(({ label }) => label)).size).toBe(auditActions.length)
  })

  test.each([
    [{}, 'registered the service', 'Node A'],
    [
      { action: 'service.maintenance', after: { isOver: true } },
      'ended maintenance of the service',
      'node-a',
    ],
    [{ action: 'service.remove', before: { name: 'Node B' }, after: null }, 'removed the service', 'Node B'],
    [{ action: 'relay.explode', after: null }, 'did “relay.explode” to', 'node-a'],
    [{ action: 'account.sign_in', subjectKind: 'account', subjectId: 'acc_1' }, 'signed in', null],
    [
      { action: 'verifier.token', subjectKind: 'installation', subjectId: 'verifiers' },
      'made a token to enrol a verifier',
      null,
    ],
  ])('%j', (changes, phrase, subject) => {
    const entry = auditEntry(changes)
    expect([actionPhrase(entry), subjectName(entry)]).toEqual([phrase, subject])
  })

  test('who has no label is known by the id', () => {
    expect(actorName({ actor: 'acc_1', actorLabel: '' })).toBe('acc_1')
    expect(actorName(auditEntry())).toBe('wallet 0x1234…abcd')
  })
})

describe('the page of what an entry is about', () => {
  const reader = 'acc_1'

  test.each([
    [{}, { name: 'service', params: { serviceId: 'node-a' } }],
    [{ action: 'service.remove' }, null],
    [{ action: 'verifier.enroll', subjectKind: 'verifier' }, { name: 'verifiers' }],
    [{ action: 'verifier.revoke', subjectKind: 'verifier' }, null],
    [{ action: 'api_key.create', subjectKind: 'api_key' }, { name: 'apiKeys' }],
    [{ action: 'api_key.create', subjectKind: 'api_key', actor: 'acc_2' }, null],
    [{ action: 'account.link', subjectKind: 'account', subjectId: 'acc_1' }, { name: 'settings' }],
    [{ action: 'account.link', subjectKind: 'account', subjectId: 'acc_2' }, null],
    [{ action: 'verifier.token', subjectKind: 'installation' }, null],
  ] as const)('%j', (changes, page) => {
    expect(subjectPage(auditEntry(changes), reader)).toEqual(page)
  })
})
