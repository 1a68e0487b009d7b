import { randomBytes } from 'node:crypto'

import { agentNode, codeForm, origin } from '../../../server/agent-access/test-support/agent-node.ts'
import type { AgentNode } from '../../../server/agent-access/test-support/agent-node.ts'
import { generateKey, keyRandomBytes } from '../../../server/keys/key-value.ts'
import { systemClock } from '../../../server/platform/clock.ts'
import { tokenPrefixes } from '../../../server/platform/token-prefixes.ts'
import { testDatabase } from '../../world/database.ts'
import { atMost, benchmarkRowOf } from '../benchmark.ts'
import type { Benchmark } from '../benchmark.ts'
import { percentile, spreadOf } from '../statistics.ts'

const checksPerRound = 200_000
const unknownPerRound = 400
const flowsPerRound = 25

export const agentTokenCheck: Benchmark = {
  name: 'agent-tokens',
  about: 'checking tokens of agents, known and unknown, letting an agent in, and refreshing its tokens',

  async run({ rounds }) {
    const testing = await testDatabase()
    // Limits by address are not what is measured.
    let elapsedMs = 0
    const processClock = { ...systemClock, monotonic: () => (elapsedMs += 1_000) }
    const node = await agentNode(testing.database, { processClock })
    try {
      const { client_id: clientId } = await node.register()
      const measured = {
        known: [] as number[],
        unknown: [] as number[],
        flow: [] as number[],
        refresh: [] as number[],
      }
      for (let round = 0; round <= rounds; round++) {
        const { flow, refresh, token } = await letAgentsIn(node, clientId)
        const known = await checkKnown(node, token)
        const unknown = await checkUnknown(node)
        if (round === 0) continue
        measured.known.push(known)
        measured.unknown.push(unknown)
        measured.flow.push(flow)
        measured.refresh.push(refresh)
      }
      return {
        title: 'Tokens of agents',
        rows: [
          benchmarkRowOf('check of a token that was seen', 'µs', measured.known, atMost(5)),
          benchmarkRowOf(
            'refusal of a well-formed token that does not exist, p99',
            'ms',
            measured.unknown,
            atMost(2),
          ),
          benchmarkRowOf('registration, request, consent and exchange, p50', 'ms', measured.flow, atMost(50)),
          benchmarkRowOf('refresh, p50', 'ms', measured.refresh, atMost(15)),
        ],
        notes: [
          `In one process, without a network: ${checksPerRound.toLocaleString('en-US')} checks, ${unknownPerRound} unknown tokens one after the other, ${flowsPerRound} agents a round. The person takes no time.`,
        ],
      }
    } finally {
      await node.stop()
      await testing.drop()
    }
  },
}

const use = { address: null, resource: '/mcp', needs: ['gateway_use'] } as const

/** In µs, the mean: a single check is shorter than the clock is exact. */
async function checkKnown({ access }: AgentNode, token: string): Promise<number> {
  await access.check(token, use)
  const startedAt = Bun.nanoseconds()
  for (let check = 0; check < checksPerRound; check++) void access.check(token, use)
  return (Bun.nanoseconds() - startedAt) / 1_000 / checksPerRound
}

/** In ms. */
async function checkUnknown({ access }: AgentNode): Promise<number> {
  const taken: number[] = []
  for (let check = 0; check < unknownPerRound; check++) {
    const token = generateKey(tokenPrefixes.agentAccess, randomBytes(keyRandomBytes))
    const startedAt = performance.now()
    await access.check(token, use)
    taken.push(performance.now() - startedAt)
  }
  return percentile(
    taken.toSorted((one, other) => one - other),
    99,
  )
}

/** In ms. */
async function letAgentsIn(node: AgentNode, clientId: string) {
  const flows: number[] = []
  const refreshes: number[] = []
  let token = ''
  for (let agent = 0; agent < flowsPerRound; agent++) {
    const startedAt = performance.now()
    await node.register()
    await node.send(`/.well-known/oauth-authorization-server`)
    const reply = await node.token(await codeForm(node, clientId, { resource: `${origin}/mcp` }))
    flows.push(performance.now() - startedAt)
    const refreshedAt = performance.now()
    const next = await node.token({
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: reply.refresh_token,
    })
    refreshes.push(performance.now() - refreshedAt)
    token = next.access_token
  }
  return { flow: spreadOf(flows).median, refresh: spreadOf(refreshes).median, token }
}
