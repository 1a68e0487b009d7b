import { expect, test } from 'bun:test'

import { signUpPolicies } from '../../../shared/accounts.ts'
import { type TeamRole, mayInTeam, teamActions, teamRoles } from '../../../shared/teams.ts'
import { inviteRefusal, memberChangeRefusal, stateOfNewTeam } from './decide.ts'

test('role × action: each row of the table', () => {
  const rows = teamRoles.map((role) => [role, ...teamActions.filter((action) => mayInTeam(role, action))])
  expect(rows).toEqual([
    ['owner', 'read', 'build', 'programs', 'members', 'team'],
    ['admin', 'read', 'build', 'programs', 'members'],
    ['developer', 'read', 'build'],
    ['viewer', 'read'],
  ])
})

test('who makes a team: anybody where anybody may have an account, with approval, or operators alone', () => {
  const states = signUpPolicies.map((policy) => [policy, stateOfNewTeam(policy, false)])
  expect(states).toEqual([
    ['open', 'active'],
    ['approval', 'pending'],
    ['invitation', null],
    ['closed', null],
  ])
  for (const policy of signUpPolicies) expect(stateOfNewTeam(policy, true)).toBe('active')
})

const change = (by: TeamRole, from: TeamRole, to: TeamRole | null, isOneself = false, owners = 2) =>
  memberChangeRefusal({ by, from, to, isOneself, owners })?.text ?? null

test('owners change everybody, admins everybody but owners, others nobody', () => {
  for (const from of teamRoles) {
    for (const to of [...teamRoles, null]) {
      const concernsOwners = from === 'owner' || to === 'owner'
      expect(change('owner', from, to)).toBeNull()
      expect(change('admin', from, to) === null).toBe(!concernsOwners)
      expect(change('developer', from, to)).toContain('you are a developer')
      expect(change('viewer', from, to)).toContain('you are a viewer')
    }
  }
})

test('everybody can leave, and nobody raises themselves; the last owner stays one', () => {
  for (const role of teamRoles) expect(change(role, role, null, true)).toBeNull()
  for (const role of ['admin', 'developer', 'viewer'] as const) {
    expect(change(role, role, 'owner', true)).not.toBeNull()
  }
  expect(change('developer', 'developer', 'admin', true)).not.toBeNull()
  expect(change('owner', 'owner', null, true, 1)).toContain('only owner')
  expect(change('owner', 'owner', 'admin', true, 1)).toContain('only owner')
  expect(change('owner', 'owner', 'owner', true, 1)).toBeNull()
  expect(change('owner', 'owner', 'viewer', true, 2)).toBeNull()
})

test('admins invite to every role but that of owners', () => {
  for (const role of teamRoles) {
    expect(inviteRefusal('owner', role)).toBeNull()
    expect(inviteRefusal('admin', role) === null).toBe(role !== 'owner')
    expect(inviteRefusal('developer', role)).toContain('you are a developer')
  }
})
