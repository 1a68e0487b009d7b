import { afterAll, beforeAll, expect, test } from 'bun:test'

import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { signInAt } from '../../scripts/world/signed-in-client.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import type { ClassStatisticsAnswer } from '../../shared/usage-splits.ts'
import type { MethodUsage, UsageTable } from '../../shared/usage.ts'

/** A server that is killed while calls are under way: its next start makes errors of them that cost nothing. */

const held = 7
const answered = 5

let installation: TestInstallation
let waiting = 0
/** Answers one method at once, and another one never. */
const node = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch(request) {
    const { id, method } = (await request.json()) as { id: unknown; method: string }
    if (method === 'eth_getLogs') {
      waiting++
      await new Promise(() => undefined)
    }
    return Response.json({ jsonrpc: '2.0', id, result: '0x1' })
  },
})

beforeAll(async () => {
  installation = await createTestInstallation({
    endpoints: [
      { name: 'testnet', chain: 'ethereum', upstreams: [{ url: `http://127.0.0.1:${node.port}/` }] },
    ],
  })
})
afterAll(async () => {
  await installation?.remove()
  await node.stop(true)
})

test('kill -9: calls that had no answer are errors, with their credits back, each once', async () => {
  const server = await installation.start()
  const owner = await signInAt(server.url)
  const { data } = await owner.mutate('queryKeys.create', { name: 'app', endpoint: 'testnet' })
  const address = `${server.url}/rpc/testnet/${(data as { value: string }).value}`
  const send = (id: number, method: string, params: unknown[]) =>
    fetch(address, { method: 'POST', body: JSON.stringify({ jsonrpc: '2.0', id, method, params }) })

  for (let id = 0; id < answered; id++) await (await send(id, 'eth_call', [{ to: `0x${id}` }, '0x1'])).text()
  const lost = Array.from({ length: held }, (_, id) =>
    send(id, 'eth_getLogs', [{ blockHash: `0x${String(id).padStart(64, '0')}` }]).catch(() => null),
  )
  await waitUntil('the node has all of them', () => waiting === held, 20_000)
  // The database has them as calls without an end.
  const read = async () => {
    const methods = (await owner.query('usage.methods?input={}')).data as UsageTable<MethodUsage>
    const classes = (await owner.query('usage.classes?input={}')).data as ClassStatisticsAnswer
    return { rows: new Map(methods.rows.map((row) => [row.method, row])), totals: methods.totals, classes }
  }
  const before = await read()
  const priced = before.totals.credits
  const price = (before.rows.get('eth_getLogs')?.credits ?? 0) / held
  expect(before.rows.get('eth_getLogs')).toMatchObject({ requests: held, ok: 0, errors: 0 })
  expect(before.classes.totals).toMatchObject({ underWay: held, unanswered: 0 })
  await server.kill9()
  await Promise.all(lost)

  for (let start = 0; start < 2; start++) {
    const next = await installation.start()
    const after = await read()
    expect(after.rows.get('eth_getLogs')).toMatchObject({ requests: held, ok: 0, errors: held, credits: 0 })
    expect(after.rows.get('eth_call')).toEqual(before.rows.get('eth_call'))
    expect(after.totals).toMatchObject({ ok: answered, errors: held, credits: priced - held * price })
    expect(after.classes.totals).toMatchObject({ answered, underWay: 0, unanswered: held })
    await next.kill9()
  }
}, 120_000)
