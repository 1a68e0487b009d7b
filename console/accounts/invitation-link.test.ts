import { expect, test } from 'bun:test'

import { invitationTokenIn } from './invitation-link.ts'

test.each([
  ['#invitation=giv_a-B_9', 'giv_a-B_9'],
  ['#setup=gst_1', null],
  ['#invitation=', null],
  ['', null],
])('%s names %p', (hash, token) => expect(invitationTokenIn(hash)).toBe(token))
