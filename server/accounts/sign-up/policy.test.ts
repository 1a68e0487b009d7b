import { expect, test } from 'bun:test'

import { signUpPolicies } from '../../../shared/accounts.ts'
import { oidcDomain, oidcGroup, readAllowList } from './allow-list.ts'
import { entryBy } from './policy.ts'

const newcomer = { isConfiguredOperator: false, isAllowed: false, hasOperator: true }
const account = (state: 'active' | 'pending') => ({ kind: 'account', state }) as const

test('each policy has its answer to a newcomer', () => {
  expect(signUpPolicies.map((policy) => entryBy(policy, newcomer))).toEqual([
    account('active'),
    account('pending'),
    { kind: 'invitation_needed' },
    { kind: 'sign_up_closed' },
  ])
})

test('an operator whom the settings name is always let in', () => {
  const named = { ...newcomer, isConfiguredOperator: true }
  for (const policy of signUpPolicies) expect(entryBy(policy, named)).toEqual(account('active'))
})

test('who is on the allow-list is let in, unless nobody is', () => {
  const allowed = { ...newcomer, isAllowed: true }
  expect(signUpPolicies.map((policy) => entryBy(policy, allowed).kind)).toEqual([
    'account',
    'account',
    'account',
    'sign_up_closed',
  ])
  expect(entryBy('approval', allowed)).toEqual(account('active'))
})

test('whoever is to use the setup link can sign in, and do nothing else', () => {
  const first = { ...newcomer, hasOperator: false }
  for (const policy of ['approval', 'invitation', 'closed'] as const) {
    expect(entryBy(policy, first)).toEqual(account('pending'))
  }
})

test('the allow-list knows identities and groups, in any case of letters', () => {
  const wallet = `0x${'aB'.repeat(20)}`
  const list = readAllowList([wallet, 'github:7', 'github-org:Kestrel-Ops', 'google-domain:Example.org'])
  const identity = { kind: 'github', subject: '8', label: null } as const
  expect(list.githubOrganisations).toEqual(['kestrel-ops'])
  expect(list.includes({ ...identity, subject: '7' })).toBe(true)
  expect(list.includes({ kind: 'wallet', subject: wallet.toLowerCase(), label: null })).toBe(true)
  expect(list.includes(identity)).toBe(false)
  expect(list.includes({ ...identity, groups: ['github-org:kestrel-ops'] })).toBe(true)
  expect(list.includes({ ...identity, kind: 'google', groups: ['google-domain:example.org'] })).toBe(true)
  expect(list.includes({ ...identity, kind: 'google', groups: ['google-domain:evil-example.org'] })).toBe(
    false,
  )
})

test('of OpenID Connect it knows subjects of one issuer, domains, and groups to the letter', () => {
  const issuer = 'https://id.example.org/a'
  const list = readAllowList([`oidc:${issuer}#7`, 'oidc-domain:Example.org', 'oidc-group:Node operators'])
  const oidc = (subject: string, groups: string[] = []) =>
    list.includes({ kind: 'oidc', subject, label: null, groups })
  expect(list.oidcGroupKinds).toEqual({ domains: true, groups: true })
  expect(readAllowList(['oidc-group:a']).oidcGroupKinds).toEqual({ domains: false, groups: true })
  expect([oidc(`${issuer}#7`), oidc('https://id.example.org/b#7')]).toEqual([true, false])
  expect([oidc('x#1', [oidcDomain('EXAMPLE.org')]), oidc('x#1', [oidcDomain('a.example.org')])]).toEqual([
    true,
    false,
  ])
  expect([oidc('x#1', [oidcGroup('Node operators')]), oidc('x#1', [oidcGroup('node operators')])]).toEqual([
    true,
    false,
  ])
})
