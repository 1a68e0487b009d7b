import { afterAll, beforeAll, describe, expect, test } from 'bun:test'

import { type Anvil, startAnvil } from '../../scripts/world/anvil.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { type TestRelay, startTestRelay } from '../../server/relay/test-support/relay-under-test.ts'

/** Two real nodes of one chain behind the relay, of which one stops while callers go on asking. */

const genesisAt = 1_750_000_000
const start = () => startAnvil({ chainId: 31_337, timestamp: genesisAt, blocks: 'on-demand' })

let nodes: readonly [Anvil, Anvil]
let relay: TestRelay

beforeAll(async () => {
  nodes = [await start(), await start()]
  relay = startTestRelay({ upstreams: nodes.map(({ url }) => ({ url })), settings: { firstByteMs: 3_000 } })
})

afterAll(async () => {
  await relay.stop()
  await Promise.all(nodes.map((node) => node.stop()))
})

/** Asks without a pause, by several callers, until it is told to stop. */
function callers(count: number) {
  const seen = { answers: 0, others: [] as string[] }
  const over = new AbortController()
  let asked = 0

  async function ask(): Promise<void> {
    const account = `0x${String(asked++).padStart(40, '0')}`
    const body = { jsonrpc: '2.0', id: asked, method: 'eth_getBalance', params: [account, 'latest'] }
    const response = await fetch(relay.url, { method: 'POST', body: JSON.stringify(body) })
    const text = await response.text()
    if (response.status === 200 && text === `{"jsonrpc":"2.0","id":${body.id},"result":"0x0"}`)
      seen.answers += 1
    else seen.others.push(`${response.status} ${text}`)
  }

  const running = Promise.all(
    Array.from({ length: count }, async () => {
      while (!over.signal.aborted) await ask()
    }),
  )
  return {
    seen,
    async stop() {
      over.abort()
      await running
    },
  }
}

async function moreAnswers(asking: ReturnType<typeof callers>, count: number): Promise<void> {
  const before = asking.seen.answers
  await waitUntil('callers get answers', () => asking.seen.answers >= before + count, 60_000)
}

describe('callers notice nothing', () => {
  test('when a node freezes in the middle of everything, and wakes up again', async () => {
    const asking = callers(4)
    await moreAnswers(asking, 50)
    nodes[1].pause()
    await moreAnswers(asking, 100)
    nodes[1].resume()
    await moreAnswers(asking, 50)
    await asking.stop()
    expect(asking.seen.others).toEqual([])
  }, 120_000)

  test('when a node is killed', async () => {
    const asking = callers(4)
    await moreAnswers(asking, 50)
    await nodes[0].stop()
    await moreAnswers(asking, 100)
    await asking.stop()
    expect(asking.seen.others).toEqual([])
    const unanswered = relay.metered.filter(({ outcomes }) => outcomes?.includes('ok') !== true)
    expect(unanswered).toEqual([])
  }, 120_000)
})
