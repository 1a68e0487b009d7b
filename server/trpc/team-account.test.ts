import { expect, test } from 'bun:test'

import { teamRoles } from '../../shared/teams.ts'
import { type Fault, fault } from '../platform/fault.ts'
import { type ChosenTeam, teamAccount, neededInTeam } from './team-account.ts'

const ann = { id: 'acc_ann', role: 'operator', isApproved: true, label: 'github 1' } as const
const team = (role: ChosenTeam['role']): ChosenTeam => ({ id: 'acc_team', name: 'Kestrel', role })

const outcome = (role: ChosenTeam['role'], path: string, type: 'query' | 'mutation') => {
  try {
    return teamAccount(ann, team(role), { path, type }).id
  } catch (error) {
    return (error as Fault).code
  }
}

test('what a procedure needs: reading, or what its router says; a router that is not named is closed', () => {
  expect(neededInTeam('queryKeys.list', 'query')).toBe('read')
  expect(neededInTeam('requests.live', 'subscription')).toBe('read')
  expect(neededInTeam('queryKeys.reveal', 'mutation')).toBe('build')
  expect(neededInTeam('apiKeys.reveal', 'mutation')).toBe('programs')
  expect(neededInTeam('toolPolicies.test', 'mutation')).toBe('read')
  for (const path of ['brandNew.create', 'constructor.create', '__proto__.create', '']) {
    expect(neededInTeam(path, 'mutation')).toBeNull()
  }
})

test('each role reads; developers build; admins let programs in', () => {
  const rows = teamRoles.map((role) => [
    role,
    outcome(role, 'queryKeys.list', 'query'),
    outcome(role, 'queryKeys.create', 'mutation'),
    outcome(role, 'apiKeys.create', 'mutation'),
    outcome(role, 'brandNew.create', 'mutation'),
  ])
  expect(rows).toEqual([
    ['owner', 'acc_team', 'acc_team', 'acc_team', 'forbidden'],
    ['admin', 'acc_team', 'acc_team', 'acc_team', 'forbidden'],
    ['developer', 'acc_team', 'acc_team', 'forbidden', 'forbidden'],
    ['viewer', 'acc_team', 'forbidden', 'forbidden', 'forbidden'],
  ])
})

test('the team is no operator, and the audit log names both', () => {
  expect(teamAccount(ann, team('owner'), { path: 'queryKeys.create', type: 'mutation' })).toEqual({
    id: 'acc_team',
    role: 'account',
    isApproved: true,
    label: 'Kestrel',
    actor: { id: 'acc_ann', label: 'github 1 for Kestrel (acc_team)' },
  })
})

test('whoever may not act for the team does nothing', () => {
  const call = { path: 'queryKeys.list', type: 'query' } as const
  expect(() => teamAccount(ann, fault('forbidden', 'gone from there'), call)).toThrow('gone from there')
})
