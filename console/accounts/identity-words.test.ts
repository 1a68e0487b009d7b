import { expect, test } from 'bun:test'

import type { AccountView, IdentityView } from '../../shared/accounts.ts'
import { accountName, identityKindName, identityName, walletAddressOf } from './identity-words.ts'

const address = '0xab5801a7d398351b8be11c439e05c5b3259aec9b'
const identity = (
  kind: IdentityView['kind'],
  subject: string,
  label: string | null = null,
): IdentityView => ({
  id: 'idn_1',
  kind,
  subject,
  label,
  linkedAt: 0,
})

test.each([
  [identity('wallet', address), 'Wallet', '0xab58…ec9b', address],
  [identity('wallet', `eip155:10:${address}`), 'Wallet', '0xab58…ec9b', address],
  [identity('github', '583231', 'ada'), 'GitHub', 'ada', null],
  [identity('google', '1134', null), 'Google', '1134', null],
  [identity('oidc', 'https://id.example.org/realms/a#248', 'Ada L.'), 'id.example.org', 'Ada L.', null],
  [identity('oidc', 'https://id.example.org/realms/a#24#8', null), 'id.example.org', '24#8', null],
])('%p is called as people know it', (given, kind, name, walletAddress) => {
  expect([identityKindName(given), identityName(given), walletAddressOf(given)]).toEqual([
    kind,
    name,
    walletAddress,
  ])
})

test('an account is called by the name it shares, else by its first identity', () => {
  const account: Omit<AccountView, 'freshUntil'> = {
    id: 'acc_1',
    role: 'account',
    state: 'active',
    createdAt: 0,
    contact: null,
    identities: [identity('github', '583231', 'ada'), identity('wallet', address)],
  }
  expect(accountName(account)).toBe('ada')
  expect(accountName({ ...account, contact: { name: 'Ada L.', email: null } })).toBe('Ada L.')
  expect(accountName({ ...account, identities: [] })).toBe('acc_1')
})
