import { expect, test } from 'bun:test'

import { entryProblems, noProblems } from './entry-problems.ts'

const input = { allowedIps: ['192.0.2.1', '10.0.0/33'], allowedDomains: ['*.com'] }

test('a refusal is brought to the entries that it is about', () => {
  const refusal =
    'allowedIps[1]: expected an IP address such as 192.0.2.7; allowedDomains[0]: expected the last two parts without *; expiresAt: expected an instant in the future; and 2 more'
  expect(entryProblems(refusal, input)).toEqual({
    allowedIps: new Map([['10.0.0/33', 'expected an IP address such as 192.0.2.7']]),
    allowedDomains: new Map([['*.com', 'expected the last two parts without *']]),
  })
})

test('a refusal about something else is about no entry', () => {
  expect(entryProblems('An account has at most 1000 API keys: delete one first', input)).toEqual(noProblems)
  expect(entryProblems('allowedIps[7]: expected nothing', input)).toEqual(noProblems)
})
