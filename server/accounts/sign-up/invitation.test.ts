import { expect, test } from 'bun:test'

import { invitationRefusal, invitationView } from './invitation.ts'

const invitation = {
  id: 'inv_1',
  note: '',
  for: null,
  createdAt: 0,
  createdBy: 'cli',
  expiresAt: 100,
  usedAt: null,
  usedBy: null,
}

test('an invitation is good once, until it ends, for whom it was made', () => {
  const bound = { ...invitation, for: 'github:7' }
  expect(invitationRefusal(invitation, null, 99)).toBeNull()
  expect(invitationRefusal(invitation, ['github:8'], 99)).toBeNull()
  expect(invitationRefusal(null, null, 0)).toBe('invitation_unknown')
  expect(invitationRefusal(invitation, null, 100)).toBe('invitation_over')
  expect(invitationRefusal({ ...invitation, usedAt: 5 }, null, 200)).toBe('invitation_used')
  expect(invitationRefusal(bound, null, 0)).toBeNull()
  expect(invitationRefusal(bound, ['github:8'], 0)).toBe('invitation_of_another')
  expect(invitationRefusal(bound, ['wallet:0x1', 'github:7'], 0)).toBeNull()
})

test('its state follows from the time', () => {
  expect(invitationView(invitation, 99).state).toBe('open')
  expect(invitationView(invitation, 100).state).toBe('over')
  expect(invitationView({ ...invitation, usedAt: 5 }, 6).state).toBe('used')
})
