import { afterAll, beforeAll, expect, test } from 'bun:test'

import { createTestWallet } from '../../scripts/world/test-wallet.ts'
import type { ListedAccount } from '../../shared/accounts.ts'
import type { AuditPage } from '../../shared/audit.ts'
import { commandLineOf } from '../support/command-line.ts'
import type { CommandLine } from '../support/command-line.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'

/** What a stranger's account may do at a whole running server: nothing until it is approved, and then up to a cap. */

const operator = createTestWallet()
const upstreams = [{ url: 'http://127.0.0.1:8545' }]
const file = { endpoints: [{ name: 'testnet', chain: 'ethereum', upstreams }], queryKeyTypes: ['freeRPC'] }

let installation: TestInstallation
let server: GatehouseProcess
let commands: CommandLine

beforeAll(async () => {
  installation = await createTestInstallation(file)
  server = await installation.start({
    GATEHOUSE_SIGN_UP: 'approval',
    GATEHOUSE_OPERATORS: operator.address,
    GATEHOUSE_QUERY_KEYS_PER_ACCOUNT: '3',
    GATEHOUSE_API_KEYS_PER_ACCOUNT: '1',
  })
  commands = commandLineOf(installation.dataDir)
}, 60_000)
afterAll(() => installation?.remove())

test('a stranger waits, is approved at the command line, and has as many keys as the cap says', async () => {
  const stranger = await signInAt(server.url)
  const apiKey = { name: 'CI', permissions: ['token_create'] }
  const queryKey = { name: 'a key', endpoint: 'testnet' }
  expect(await stranger.mutate('apiKeys.create', apiKey)).toMatchObject({ status: 403 })
  expect(await stranger.mutate('queryKeys.create', queryKey)).toMatchObject({
    status: 403,
    error: { data: { fault: 'account_not_approved' } },
  })
  expect((await commands.run(['accounts', 'list'])).stdout).toContain('waits for approval')

  const { stdout } = await commands.run(['accounts', 'approve', stranger.wallet.address])
  expect(stdout).toBe(`${stranger.accountId} is approved.\n`)
  const [listed] = await commands.answerOf<ListedAccount[]>('accounts', 'list')
  expect(listed).toMatchObject({ id: stranger.accountId, state: 'active' })
  const audit = await commands.answerOf<AuditPage>('audit', 'list', '--action', 'account.approve')
  expect(audit.events).toMatchObject([{ actor: 'cli', subjectId: stranger.accountId }])

  const made = await stranger.mutate('apiKeys.create', apiKey)
  expect(made.status).toBe(200)
  expect((await stranger.mutate('apiKeys.create', apiKey)).status).toBe(409)
  const { value } = made.data as { value: string }
  const create = (count: number) =>
    fetch(`${server.url}/account/create-api-keys`, {
      method: 'POST',
      headers: { authorization: `Bearer ${value}`, 'content-type': 'application/json' },
      body: JSON.stringify(Array.from({ length: count }, () => queryKey)),
    })
  const tooMany = await create(4)
  expect([tooMany.status, await tooMany.text()]).toEqual([
    409,
    expect.stringContaining('An account has at most 3 query keys'),
  ])
  const answers = await Promise.all(Array.from({ length: 5 }, () => create(2)))
  expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409])
  expect((await create(1)).status).toBe(201)
  expect((await create(1)).status).toBe(409)
})

test('an operator waits for nobody, and has no such cap', async () => {
  const boss = await signInAt(server.url, operator)
  for (let count = 0; count < 4; count++) {
    const created = await boss.mutate('queryKeys.create', { name: 'a key', endpoint: 'testnet' })
    expect(created.status).toBe(200)
  }
})

test('off a loopback address approval is what holds when nothing is set', async () => {
  const own = await createTestInstallation()
  try {
    const { url } = await own.start({ GATEHOUSE_HOST: '0.0.0.0' })
    const stranger = await signInAt(url)
    expect(await stranger.query('apiKeys.list')).toMatchObject({
      status: 403,
      error: { data: { fault: 'account_not_approved' } },
    })
  } finally {
    await own.remove()
  }
})
