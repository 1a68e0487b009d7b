import { expect, test } from 'bun:test'
import { TRPCClientError } from '@trpc/client'

import { BareAnswer } from './bare-answer.ts'
import { outcomeOfError, outcomeOfResult } from './call-outcome.ts'

const refusal = (code: string) =>
  new TRPCClientError('no', { result: { error: { code: -1, message: 'no', data: { code } } } })
const unanswered = new TRPCClientError('Failed to fetch', { cause: new TypeError('Failed to fetch') })
const givenUp = new TRPCClientError('aborted', { cause: new DOMException('aborted', 'AbortError') })
const bare = (status: number, said: string | null) =>
  new TRPCClientError('no answer', { cause: new BareAnswer(status, said) })

test('a refusal may mean that the session is over; any other answer shows that the server is there', () => {
  expect(outcomeOfError(refusal('UNAUTHORIZED'))).toBe('not_allowed')
  expect(outcomeOfError(refusal('FORBIDDEN'))).toBe('not_allowed')
  expect(outcomeOfError(refusal('CONFLICT'))).toBe('answered')
  expect(outcomeOfError(bare(403, 'Only pages of https://own.example may ask for this'))).toBe('not_allowed')
  expect(outcomeOfError(bare(413, 'The body is too large'))).toBe('answered')
})

test('no answer is a lost connection, unless the page gave the call up itself', () => {
  expect(outcomeOfError(unanswered)).toBe('unreachable')
  expect(outcomeOfError(givenUp)).toBeNull()
  expect(outcomeOfError(bare(503, null))).toBe('unavailable')
  expect(outcomeOfError(bare(503, 'The server is stopping'))).toBe('unavailable')
  expect(outcomeOfError(new Error('a mistake of ours'))).toBeNull()
})

test('a subscription that connects again raises a doubt, which its next event settles', () => {
  expect(outcomeOfResult({ type: 'state', error: unanswered })).toBe('interrupted')
  expect(outcomeOfResult({ type: 'state', error: null })).toBeNull()
  expect(outcomeOfResult({ type: 'state' })).toBeNull()
  expect(outcomeOfResult({ type: 'data' })).toBe('answered')
  expect(outcomeOfResult({})).toBe('answered')
})
