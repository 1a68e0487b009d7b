import { expect, test } from 'bun:test'

import { draftFor, readDraft } from './connection-draft.ts'

const draft = { ...draftFor('mcpservers:acme'), secret: 'tok_1' }

test('becomes what is sent', () => {
  expect(readDraft(draft)).toEqual({
    kind: 'value',
    value: { serviceId: 'mcpservers:acme', secret: 'tok_1', headerName: null, label: null },
  })
  expect(readDraft({ ...draft, headerName: 'x-api-key', label: 'Team' })).toMatchObject({
    value: { headerName: 'x-api-key', label: 'Team' },
  })
})

test('says what is wrong at its field', () => {
  expect(readDraft(draftFor(''))).toMatchObject({
    errors: { serviceId: 'Choose a tool server.', secret: 'Enter your token or key.' },
  })
  expect(readDraft({ ...draft, headerName: 'cookie' })).toMatchObject({
    kind: 'wrong',
    errors: { headerName: expect.any(String) },
  })
  expect(readDraft({ ...draft, label: 'a\u202eb' })).toMatchObject({
    errors: { label: expect.stringContaining('invisible') },
  })
})
