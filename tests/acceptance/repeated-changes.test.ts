import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createTRPCClient, httpLink } from '@trpc/client'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { type SignedInClient, signInAt } from '../../scripts/world/signed-in-client.ts'
import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import type { AppRouter } from '../../server/compose/router.ts'
import { idempotencyHeader } from '../../shared/idempotency.ts'
import { teamHeader } from '../../shared/teams.ts'

/** Changes that are sent again under the key of the first time, through a proxy that loses answers. */

const operator = createTestWallet()
const upstreams = [{ url: 'http://127.0.0.1:8545' }]
const file = {
  services: [{ id: 'node', name: 'Node', family: 'http', provider: 'acme', endpoint: 'http://127.0.0.1:1/' }],
  endpoints: [{ name: 'testnet', chain: 'ethereum', upstreams }],
  queryKeyTypes: ['freeRPC'],
  status: [{ page: 'public', title: 'Public', groups: [{ name: 'All', services: [{ id: 'node' }] }] }],
}

let installation: TestInstallation
let server: GatehouseProcess
let proxy: ReturnType<typeof startLosingProxy>
let boss: SignedInClient

/** Passes requests on; while it loses answers, it gives them up once the server has answered. */
function startLosingProxy(target: string) {
  const state = { loses: false }
  const listener = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch(request) {
      const { pathname, search } = new URL(request.url)
      const headers = new Headers(request.headers)
      headers.set('host', new URL(target).host)
      const { method } = request
      const answer = await fetch(target + pathname + search, { method, headers, body: await request.text() })
      return state.loses ? new Response('Bad Gateway', { status: 502 }) : answer
    },
  })
  return { state, url: `http://127.0.0.1:${listener.port}`, stop: () => listener.stop(true) }
}

beforeAll(async () => {
  installation = await createTestInstallation(file)
  server = await installation.start({ GATEHOUSE_OPERATORS: operator.address })
  proxy = startLosingProxy(server.url)
  boss = await signInAt(server.url, operator)
}, 60_000)
afterAll(async () => {
  await proxy?.stop()
  await installation?.remove()
})

/** The client of somebody whose requests go through the proxy under this key. */
const clientOf = ({ cookies }: SignedInClient, key: string, team?: string) =>
  createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${proxy.url}/trpc`,
        headers: {
          origin: server.url,
          cookie: [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
          [idempotencyHeader]: key,
          ...(team !== undefined && { [teamHeader]: team }),
        },
      }),
    ],
  })
type Client = ReturnType<typeof clientOf>

async function losing(work: Promise<unknown>): Promise<void> {
  proxy.state.loses = true
  await expect(work.finally(() => (proxy.state.loses = false))).rejects.toThrow()
}

const queryKey = { endpoint: 'testnet', type: 'freeRPC' }
const incident = { page: 'public', kind: 'incident', stage: 'investigating', text: 'We look.' } as const

const kinds: readonly {
  readonly what: string
  readonly make: (client: Client, name: string) => Promise<unknown>
  readonly all: (client: Client) => Promise<readonly unknown[]>
}[] = [
  {
    what: 'query keys',
    make: (client, name) => client.queryKeys.create.mutate({ ...queryKey, name }),
    all: (client) => client.queryKeys.list.query(),
  },
  {
    what: 'API keys',
    make: (client, name) => client.apiKeys.create.mutate({ name }),
    all: (client) => client.apiKeys.list.query(),
  },
  {
    what: 'teams',
    make: (client, name) => client.teams.create.mutate({ name }),
    all: (client) => client.teams.list.query(),
  },
  {
    what: 'invitations',
    make: (client, note) => client.accounts.invite.mutate({ note, for: null, days: 7 }),
    all: (client) => client.accounts.invitations.query(),
  },
  {
    what: 'incidents',
    make: (client, title) => client.statusPages.startIncident.mutate({ ...incident, title }),
    all: (client) => client.statusPages.incidents.query(),
  },
]

test.each([...kinds])(
  '$what: one after a lost answer, two after a new key, none for another content',
  async ({ what, make, all }) => {
    const [first, next] = [clientOf(boss, `${what} 1`), clientOf(boss, `${what} 2`)]
    await losing(make(first, 'one'))
    expect(await all(first)).toHaveLength(1)
    const answer = await make(first, 'one')
    expect(await make(first, 'one')).toEqual(answer)
    expect(await all(first)).toHaveLength(1)
    await expect(make(first, 'other')).rejects.toThrow('was used for another request')
    expect(await all(first)).toHaveLength(1)

    expect(await make(next, 'one')).not.toEqual(answer)
    expect(await all(next)).toHaveLength(2)
  },
)

test('the answer that is given again has the value of the key that was made', async () => {
  const anna = await signInAt(server.url)
  const create = () =>
    clientOf(anna, 'value').apiKeys.create.mutate({ name: 'CI', permissions: ['token_create'] })
  await losing(create())
  const { value } = await create()
  const made = await fetch(`${server.url}/account/create-api-keys`, {
    method: 'POST',
    headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
    body: JSON.stringify([{ name: 'one', endpoint: 'testnet' }]),
  })
  expect(made.status).toBe(201)
})

test('the same key of another person, and for a team, is another request', async () => {
  const [anna, boris] = await Promise.all([signInAt(server.url), signInAt(server.url)])
  const { id } = await clientOf(anna, 'team').teams.create.mutate({ name: 'Team' })
  const clients = [clientOf(anna, 'shared'), clientOf(boris, 'shared'), clientOf(anna, 'shared', id)]
  const made = await Promise.all(clients.map((client) => client.apiKeys.create.mutate({ name: 'CI' })))
  expect(new Set(made.map(({ value }) => value)).size).toBe(3)
})

test('nobody is given again what they may not ask for any more', async () => {
  const anna = await signInAt(server.url)
  const { id } = await clientOf(anna, 'team').teams.create.mutate({ name: 'Team' })
  const create = () => clientOf(anna, 'left', id).apiKeys.create.mutate({ name: 'CI' })
  await create()
  const boris = await signInAt(server.url)
  const { link } = await clientOf(anna, 'invite').teams.invite.mutate({
    team: id,
    role: 'owner',
    note: '',
    for: null,
    days: 7,
  })
  await clientOf(boris, 'join').teams.join.mutate({ token: new URL(link).hash.replace('#invitation=', '') })
  await clientOf(anna, 'leave').teams.leave.mutate({ team: id })
  await expect(create()).rejects.toThrow('team')
})
