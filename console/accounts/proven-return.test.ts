import { expect, test } from 'bun:test'

import { ReturnPath } from '../../shared/accounts.ts'
import { provenParameter, returnMessage } from './proven-return.ts'
import { problemWhenSignedIn, signInProblemOf } from './sign-in-problem.ts'

test('the note of what a run was for goes through a provider and back', () => {
  expect(provenParameter('/settings', 'link')).toBe('/settings?proven=link')
  const path = provenParameter('/services?state=DOWN', 'confirm')
  expect([path, ReturnPath.safeParse(path).success]).toEqual(['/services?state=DOWN&proven=confirm', true])
})

test('what went wrong is said rather than what was meant', () => {
  expect(returnMessage({ proven: 'link' })).toMatchObject({ tone: 'ok' })
  expect(returnMessage({ proven: 'link', problem: 'identity_taken' })).toMatchObject({
    tone: 'bad',
    text: expect.stringContaining('belongs to another account'),
  })
})

test.each([{}, { problem: 'invented' }, { problem: ['denied'] }, { problem: 'toString' }, { proven: 'x' }])(
  '%p says nothing',
  (query) => {
    expect([returnMessage(query), signInProblemOf(Object.values(query)[0])]).toEqual([null, null])
  },
)

test('the page to sign in says why one is there', () => {
  expect(signInProblemOf('session_ended')).toMatchObject({ tone: 'info' })
  expect(signInProblemOf('denied')).toMatchObject({ tone: 'bad' })
})

test('whoever is signed in all the same hears of it only when they may miss something', () => {
  expect(problemWhenSignedIn('sign_in_over')).toContain('You are signed in')
  expect([problemWhenSignedIn('session_ended'), problemWhenSignedIn(undefined)]).toEqual([null, null])
})
