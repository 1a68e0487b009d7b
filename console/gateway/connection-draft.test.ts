import { expect, test } from 'bun:test'

import { draftFor, readConnectionDraft } from './connection-draft.ts'

const draft = { ...draftFor('mcpservers:acme'), secret: 'tok_1' }

test('becomes what is sent', () => {
  expect(readConnectionDraft(draft)).toEqual({
    kind: 'value',
    value: { serviceId: 'mcpservers:acme', auth: 'secret', secret: 'tok_1', headerName: null, label: null },
  })
  expect(readConnectionDraft({ ...draft, headerName: 'x-api-key', label: 'Team' })).toMatchObject({
    value: { headerName: 'x-api-key', label: 'Team' },
  })
})

test('by OAuth there is no secret', () => {
  expect(readConnectionDraft({ ...draft, auth: 'oauth', headerName: 'x-api-key' })).toMatchObject({
    value: { auth: 'oauth', secret: null, headerName: null },
  })
})

test('says what is wrong at its field', () => {
  expect(readConnectionDraft(draftFor(''))).toMatchObject({
    errors: { serviceId: 'Choose a tool server.', secret: 'Enter your token or key.' },
  })
  expect(readConnectionDraft({ ...draft, headerName: 'cookie' })).toMatchObject({
    kind: 'wrong',
    errors: { headerName: expect.any(String) },
  })
  expect(readConnectionDraft({ ...draft, label: 'a\u202eb' })).toMatchObject({
    errors: { label: expect.stringContaining('invisible') },
  })
})
