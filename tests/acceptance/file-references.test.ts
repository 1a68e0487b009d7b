import { afterAll, beforeAll, expect, test } from 'bun:test'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'

let installation: TestInstallation
let server: GatehouseProcess

beforeAll(async () => {
  installation = await createTestInstallation({})
  server = await installation.start()
})
afterAll(() => installation?.remove())

const service = {
  id: 'eth-1',
  name: 'Node',
  family: 'http',
  provider: 'acme',
  endpoint: 'http://127.0.0.1:1/',
} as const
const page = (name: string) => ({
  page: name,
  title: 'Nodes',
  groups: [{ name: 'All', services: [{ id: 'eth-1' }] }],
  emailChannel: 'mails',
})

test('what the file names cannot be taken away, so that the next start is not refused', async () => {
  const { services, channels, statusPages } = server.operator
  await services.add.mutate(service)
  const from = 'Acme <acme@acme.example>'
  await channels.create.mutate({ name: 'mails', type: 'email', smtp: 'smtp://127.0.0.1:1', from })
  await channels.create.mutate({ name: 'bills', type: 'webhook', url: 'http://127.0.0.1:1/' })
  await statusPages.save.mutate({ spec: page('own'), isNew: true })
  installation.writeFile({ status: [page('main')], statements: { channels: ['bills'] } })
  await waitUntil('the file is active', async () => (await statusPages.list.query()).length === 2)

  await expect(services.remove.mutate({ id: 'eth-1' })).rejects.toThrow(
    'the status page "main" of the file shows this service: take it out there before you remove it',
  )
  await expect(channels.delete.mutate({ name: 'mails' })).rejects.toThrow(
    'The status page "main", the status page "own" name this channel: take it out there before you delete it',
  )
  await expect(channels.delete.mutate({ name: 'bills' })).rejects.toThrow(
    'The section statements of the file names this channel: take it out there before you delete it',
  )
  await server.stop()
  server = await installation.start()

  installation.writeFile({})
  await waitUntil(
    'the file is active',
    async () => (await server.operator.statusPages.list.query()).length === 1,
  )
  await expect(server.operator.channels.delete.mutate({ name: 'mails' })).rejects.toThrow(
    'The status page "own" names this channel',
  )
  await server.operator.channels.delete.mutate({ name: 'bills' })
  await server.operator.services.remove.mutate({ id: 'eth-1' }) // it stays on the page as unknown
}, 60_000)
