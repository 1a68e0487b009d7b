import { join } from 'node:path'

import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'

import { createTestInstallation } from '../../world/gatehouse-process.ts'
import { untilListed, writeRegistry } from '../../world/registry-folder.ts'
import { signInAt } from '../../world/signed-in-client.ts'
import { startChild } from '../../world/child-process.ts'
import { waitUntil } from '../../world/wait-until.ts'
import { measureInTurns } from '../arms.ts'
import { atMost, benchmarkRowOf } from '../benchmark.ts'
import type { Benchmark } from '../benchmark.ts'
import { percentile } from '../statistics.ts'

const leanToolServer = join(import.meta.dir, '../../..', 'scripts/bench/gateway/lean-tool-server.ts')
const callsPerRound = 1_000
/** Until then the runtime is still compiling what a call runs through. */
const warmUpCalls = 10_000

export const gateway: Benchmark = {
  name: 'gateway',
  about: 'a tool call through the gateway, against the same call sent directly',

  async run({ rounds }) {
    const lean = startChild([process.execPath, leanToolServer])
    await waitUntil('the tool server listens', () => lean.output().includes('http'))
    const toolServer = lean.output().trim()
    const source = writeRegistry([{ slug: 'lean', provider: 'Lean', url: toolServer, chains: ['base'] }])
    const installation = await createTestInstallation({
      registry: { source },
      verifiers: { builtIn: false },
      virtualServers: [{ name: 'lean', members: [{ service: 'mcpservers:lean' }] }],
    })
    try {
      const { url } = await installation.start({ GATEHOUSE_LOG_LEVEL: 'error' })
      await untilListed(url, 'mcpservers:lean')
      const direct = await connect(toolServer)
      const through = await connect(`${url}/mcp`)
      const throughVirtual = await connect(`${url}/mcp/v/lean`, await gatewayKey(url))
      await throughVirtual.listTools()
      const connectionId = 'public::base::mcpservers:lean'
      const echo = { name: 'echo', arguments: { message: 'hi' } }
      const execute = {
        name: 'execute',
        arguments: {
          operation: 'call_mcp_tool',
          arguments: { connection_id: connectionId, tool_name: 'echo', arguments: { message: 'hi' } },
        },
      }
      const turns = {
        direct: () => medianMs(direct, echo, callsPerRound),
        through: () => medianMs(through, execute, callsPerRound),
        virtual: () => medianMs(throughVirtual, echo, callsPerRound),
      }
      await medianMs(direct, echo, warmUpCalls)
      await medianMs(through, execute, warmUpCalls)
      await medianMs(throughVirtual, echo, warmUpCalls)
      const measured = await measureInTurns(rounds, turns)
      await Promise.all([direct.close(), through.close(), throughVirtual.close()])
      const added = (times: readonly number[]) => times.map((ms, round) => ms - (measured.direct[round] ?? 0))
      return {
        title: 'Gateway',
        rows: [
          benchmarkRowOf(
            'call_mcp_tool, p50 above a direct call',
            'ms',
            added(measured.through),
            atMost(0.4),
          ),
          benchmarkRowOf('the same through a virtual server', 'ms', added(measured.virtual), atMost(0.45)),
          benchmarkRowOf('a direct call, p50', 'ms', measured.direct),
        ],
        notes: [
          `${callsPerRound.toLocaleString('en-US')} calls one after the other, after ${warmUpCalls.toLocaleString('en-US')} that are not counted, with the protocol's own client (2026-07-28), tool server, gateway and client as processes of one machine.`,
        ],
      }
    } finally {
      await installation.remove()
      await lean.stop()
    }
  },
}

/** Returns an API key of an account of its own. */
async function gatewayKey(url: string): Promise<string> {
  const owner = await signInAt(url)
  const { data } = await owner.mutate('apiKeys.create', { name: 'bench', permissions: ['gateway_use'] })
  return (data as { readonly value: string }).value
}

async function connect(address: string, key?: string): Promise<Client> {
  const client = new Client(
    { name: 'bench', version: '1.0.0' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  const requestInit = key === undefined ? {} : { headers: { authorization: `Bearer ${key}` } }
  await client.connect(new StreamableHTTPClientTransport(new URL(address), { requestInit }))
  return client
}

async function medianMs(
  client: Client,
  call: Parameters<Client['callTool']>[0],
  count: number,
): Promise<number> {
  const times: number[] = []
  for (let place = 0; place < count; place++) {
    const before = performance.now()
    const { isError } = await client.callTool(call)
    if (isError === true) throw new Error('the call was refused')
    times.push(performance.now() - before)
  }
  return percentile(
    times.toSorted((one, other) => one - other),
    50,
  )
}
