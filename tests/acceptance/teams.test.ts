import { afterAll, beforeAll, expect, test } from 'bun:test'

import { testDatabase, type TestDatabase } from '../../scripts/world/database.ts'
import { type Replicas, startReplicas } from '../../scripts/world/replicas.ts'
import { signInAt, type SignedInClient } from '../../scripts/world/signed-in-client.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import type { AuditPage } from '../../shared/audit.ts'
import type { MadeInvitation } from '../../shared/invitations.ts'
import { type TeamDetails, type TeamRole, teamHeader, teamParameter } from '../../shared/teams.ts'
import { type ScriptedChainNode, startChainNode } from '../../server/relay/test-support/chain-node.ts'

/** Two processes of the real server: whoever is removed from a team by one of them is refused by both from the next request on. */

const operator = createTestWallet()
let node: ScriptedChainNode
let database: TestDatabase
let replicas: Replicas
let boss: SignedInClient

beforeAll(async () => {
  node = startChainNode('node', 100)
  database = await testDatabase()
  replicas = await startReplicas({
    count: 2,
    file: {
      verifiers: { builtIn: false },
      chains: { testnet: { family: 'evm', chainId: 31_337, finalityDepth: 64 } },
      endpoints: [{ name: 'testnet', chain: 'testnet', upstreams: [{ url: node.url }] }],
    },
    databaseUrl: database.url,
    redisUrl: null,
    environment: { GATEHOUSE_LOG_LEVEL: 'error', GATEHOUSE_OPERATORS: operator.address },
  })
  boss = await signInAt(urls()[0] ?? '', operator)
}, 180_000)

afterAll(async () => {
  await replicas?.remove()
  await node?.stop()
  await database?.drop()
}, 60_000)

const urls = (): readonly string[] => replicas.servers.map(({ url }) => url)

const everywhere = <Answer>(ask: (url: string) => Promise<Answer>): Promise<Answer[]> =>
  Promise.all(urls().map(ask))

async function statusOfCall(url: string, key: string): Promise<number> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
  return (await fetch(`${url}/rpc/testnet/${key}`, { method: 'POST', body })).status
}

/** Somebody as a member of a team: what they ask at any process names it. */
function inTeam({ cookies }: SignedInClient, team: string) {
  async function ask(url: string, procedure: string, input?: unknown) {
    const cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const response = await fetch(`${url}/trpc/${procedure}`, {
      headers: { cookie, origin: url, 'content-type': 'application/json', [teamHeader]: team },
      ...(input !== undefined && { method: 'POST', body: JSON.stringify(input) }),
    })
    const { result } = (await response.clone().json()) as { result?: { data: unknown } }
    return { status: response.status, data: result?.data, text: await response.text() }
  }
  return { ask, list: (url: string) => ask(url, 'queryKeys.list').then(({ status }) => status) }
}

async function teamOf(founder: SignedInClient, name: string): Promise<string> {
  const { status, data } = await founder.mutate('teams.create', { name })
  expect([status, data]).toMatchObject([200, { state: 'active' }])
  return (data as { id: string }).id
}

async function invitedTo(team: string, by: SignedInClient, asked: { role?: TeamRole; for?: string } = {}) {
  const { data } = await by.mutate('teams.invite', { team, ...asked })
  const { link, id } = data as MadeInvitation
  const token = new URL(link).hash.replace('#invitation=', '')
  expect([new URL(link).pathname, token.startsWith('giv_')]).toEqual(['/join-team', true])
  return { token, id }
}

async function memberOf(team: string, by: SignedInClient, role: TeamRole, url: string) {
  const { token } = await invitedTo(team, by, { role })
  const member = await signInAt(url)
  expect(await member.mutate('teams.join', { token })).toMatchObject({ status: 200, data: { id: team } })
  return member
}

const detailsFor = async (member: SignedInClient, team: string): Promise<TeamDetails> =>
  (await member.query(`teams.details?input=${encodeURIComponent(JSON.stringify({ team }))}`))
    .data as TeamDetails

test('a team of three shares keys, which survive the one who made them; who is removed is refused by all', async () => {
  const [first = '', second = ''] = urls()
  const founder = await signInAt(first)
  const team = await teamOf(founder, 'Kestrel')
  const developer = await memberOf(team, founder, 'developer', second)
  const viewer = await memberOf(team, founder, 'viewer', second)
  const [owning, developing, viewing] = [founder, developer, viewer].map((one) => inTeam(one, team))
  if (!owning || !developing || !viewing) throw new Error('three members')

  const made = await developing.ask(second, 'queryKeys.create', { name: 'app', endpoint: 'testnet' })
  const { key, value } = made.data as { key: { id: string }; value: string }
  expect(await everywhere((url) => statusOfCall(url, value))).toEqual([200, 200])
  const seen = await viewing.ask(second, 'queryKeys.list')
  expect([seen.status, seen.text]).toEqual([200, expect.stringContaining(key.id)])
  expect(seen.text).not.toContain(value)
  const refused = await viewing.ask(second, 'queryKeys.reveal', { id: key.id })
  expect([refused.status, refused.text]).toEqual([403, expect.stringContaining('you are a viewer')])
  expect((await viewing.ask(second, 'queryKeys.create', { name: 'x', endpoint: 'testnet' })).status).toBe(403)
  const ofProgram = { name: 'CI', permissions: ['statistics_read'] }
  const byDeveloper = await developing.ask(second, 'apiKeys.create', ofProgram)
  expect([byDeveloper.status, byDeveloper.text]).toEqual([403, expect.stringContaining('admins and owners')])
  expect((await owning.ask(first, 'apiKeys.create', ofProgram)).status).toBe(200)
  expect((await owning.ask(first, 'queryKeys.reveal', { id: key.id })).data).toBeDefined()
  // What is one's own stays apart.
  expect((await developer.query('queryKeys.list')).data).toEqual([])

  const removed = await founder.mutate('teams.removeMember', { team, member: developer.accountId })
  expect(removed.status).toBe(200)
  expect(await everywhere(developing.list)).toEqual([403, 403])
  const late = await developing.ask(second, 'queryKeys.delete', { id: key.id })
  expect([late.status, late.text]).toEqual([403, expect.stringContaining('no longer, a member')])
  expect(await everywhere((url) => statusOfCall(url, value))).toEqual([200, 200])
  expect(await everywhere(viewing.list)).toEqual([200, 200])
  expect((await detailsFor(founder, team)).members.map(({ role }) => role)).toEqual(['owner', 'viewer'])
  expect((await detailsFor(viewer, team)).invitations).toEqual([])

  const entries = (
    await boss.query(`audit.list?input=${encodeURIComponent(JSON.stringify({ subjectId: key.id }))}`)
  ).data as AuditPage
  expect(entries.events.find(({ action }) => action === 'query_key.create')).toMatchObject({
    actor: developer.accountId,
    actorLabel: expect.stringMatching(new RegExp(`^wallet 0x.* for Kestrel \\(${team}\\)$`)),
  })

  const left = await founder.mutate('teams.delete', { team })
  expect([left.status, JSON.stringify(left.error)]).toEqual([
    409,
    expect.stringContaining('query keys: 1, API keys: 1'),
  ])
  for (const [router, listed] of [
    ['queryKeys', await owning.ask(first, 'queryKeys.list')],
    ['apiKeys', await owning.ask(first, 'apiKeys.list')],
  ] as const) {
    for (const { id } of listed.data as { id: string }[])
      expect((await owning.ask(first, `${router}.delete`, { id })).status).toBe(200)
  }
  expect((await viewer.mutate('teams.delete', { team })).status).toBe(403)
  expect((await founder.mutate('teams.delete', { team })).status).toBe(200)
  expect(await everywhere(viewing.list)).toEqual([403, 403])
}, 60_000)

test('roles of members: the last owner stays, admins do not touch owners, and an operator is no operator for a team', async () => {
  const [first = '', second = ''] = urls()
  const founder = await signInAt(first)
  const team = await teamOf(founder, 'Merlin')
  const admin = await memberOf(team, founder, 'admin', second)
  const setRole = (by: SignedInClient, member: SignedInClient, role: TeamRole) =>
    by.mutate('teams.setRole', { team, member: member.accountId, role }).then(({ status }) => status)

  expect((await founder.mutate('teams.leave', { team })).status).toBe(409)
  expect(await setRole(founder, founder, 'viewer')).toBe(409)
  expect(await setRole(admin, founder, 'viewer')).toBe(403)
  expect(await setRole(admin, admin, 'owner')).toBe(403)
  expect((await admin.mutate('teams.invite', { team, role: 'owner' })).status).toBe(403)
  expect((await admin.mutate('teams.rename', { team, name: 'Ours' })).status).toBe(403)
  expect((await boss.mutate('accounts.setRole', { account: team, role: 'operator' })).status).toBe(409)
  expect(await setRole(founder, admin, 'owner')).toBe(200)
  // Of two owners who leave at once, one stays.
  const leaving = await Promise.all([founder, admin].map((one) => one.mutate('teams.leave', { team })))
  expect(leaving.map(({ status }) => status).toSorted()).toEqual([200, 409])

  const stayed = leaving[0]?.status === 409 ? founder : admin
  const erased = await stayed.mutate('accounts.deleteOwn', { id: stayed.accountId })
  expect([erased.status, JSON.stringify(erased.error)]).toEqual([
    409,
    expect.stringContaining('only owner of the team'),
  ])

  expect((await boss.mutate('teams.leave', { team })).status).toBe(404)
  const listed = (await boss.query('teams.all')).data as { id: string; members: number }[]
  expect(listed.find(({ id }) => id === team)).toMatchObject({ name: 'Merlin', members: 1 })
  expect((await boss.mutate('accounts.disable', { account: team })).status).toBe(200)
  expect(await everywhere(inTeam(stayed, team).list)).toEqual([403, 403])
}, 60_000)

const refusalOf = async (by: SignedInClient, token: string, how = 'teams.join') =>
  JSON.stringify((await by.mutate(how, { token })).error)

test('invitations to a team: once, in time, and by the one they are for', async () => {
  const [first = '', second = ''] = urls()
  const founder = await signInAt(first)
  const team = await teamOf(founder, 'Hobby')
  const guests = await Promise.all([signInAt(second), signInAt(second)])
  const [guest, other] = guests
  if (!guest || !other) throw new Error('two guests')

  const once = await invitedTo(team, founder)
  const shown = await guest.mutate('teams.showInvitation', { token: once.token })
  expect(shown.data).toMatchObject({ team: 'Hobby', role: 'developer' })
  const joins = await Promise.all(guests.map((one) => one.mutate('teams.join', { token: once.token })))
  expect(joins.map(({ status }) => status).toSorted()).toEqual([200, 404])
  const [inside, outside] = joins[0]?.status === 200 ? [guest, other] : [other, guest]
  expect(await refusalOf(outside, once.token)).toContain('was used already')
  expect(await refusalOf(outside, once.token, 'teams.showInvitation')).toContain('was used already')
  expect(await refusalOf(inside, once.token, 'teams.showInvitation')).toContain('You joined this team')

  const bound = await invitedTo(team, founder, { for: founder.wallet.address })
  expect(await refusalOf(outside, bound.token)).toContain('is for somebody else')
  const open = await invitedTo(team, founder)
  expect(await refusalOf(inside, open.token)).toContain('in this team already')
  expect((await founder.mutate('teams.cancelInvitation', { team, id: open.id })).status).toBe(200)
  expect(await refusalOf(outside, open.token)).toContain('is not known here')
  await database.database.sql`UPDATE team_invitations SET expires_at = now() WHERE id = ${bound.id}`
  expect(await refusalOf(outside, bound.token)).toContain('has ended')
  const states = (await detailsFor(founder, team)).invitations.map(({ id, state }) => [id, state])
  expect(states).toEqual([
    [bound.id, 'over'],
    [once.id, 'used'],
  ])

  for (const wrong of [{ name: '' }, { name: 'a\u202Eb' }, { name: 'a\u200Bb' }, { name: 'x'.repeat(61) }]) {
    expect((await founder.mutate('teams.create', wrong)).status).toBe(422)
  }
  expect((await founder.mutate('teams.invite', { team, role: 'king' })).status).toBe(422)
  expect((await founder.mutate('teams.invite', { team, days: 91 })).status).toBe(422)
  expect((await outside.mutate('teams.invite', { team })).status).toBe(404)
  // A team that is none refuses what is done for it, and nothing else; a stream names it in its address.
  expect(await inTeam(founder, 'acc_none').list(first)).toBe(403)
  expect(await inTeam(founder, 'x'.repeat(70)).list(first)).toBe(422)
  expect((await inTeam(founder, 'acc_none').ask(first, 'accounts.me')).status).toBe(200)
  expect((await founder.query(`queryKeys.list?${teamParameter}=acc_none%00`)).status).toBe(422)
}, 60_000)

test('an invitation ends with the right of whoever made it, so that nobody comes back by a link of their own', async () => {
  const [first = '', second = ''] = urls()
  const founder = await signInAt(first)
  const team = await teamOf(founder, 'Osprey')
  const admin = await memberOf(team, founder, 'admin', second)
  const links = [
    await invitedTo(team, admin, { role: 'admin' }),
    await invitedTo(team, admin, { role: 'viewer' }),
  ]
  const ofFounder = await invitedTo(team, founder)
  const stateOf = async (id: string) =>
    (await detailsFor(founder, team)).invitations.find((one) => one.id === id)?.state

  await founder.mutate('teams.setRole', { team, member: admin.accountId, role: 'viewer' })
  expect((await admin.mutate('teams.leave', { team })).status).toBe(200)
  for (const { token, id } of links) {
    expect(await refusalOf(admin, token)).toContain('This invitation has ended')
    expect(await stateOf(id)).toBe('over')
  }
  expect(await stateOf(ofFounder.id)).toBe('open')

  const again = await memberOf(team, founder, 'admin', second)
  const open = await invitedTo(team, again, { role: 'admin' })
  const guest = await signInAt(second)
  expect((await guest.mutate('teams.showInvitation', { token: open.token })).status).toBe(200)
  expect((await boss.mutate('accounts.disable', { account: again.accountId })).status).toBe(200)
  expect(await refusalOf(guest, open.token)).toContain('This invitation has ended')
}, 60_000)
