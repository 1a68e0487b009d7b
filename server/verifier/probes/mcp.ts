import * as z from 'zod/mini'

import type { ProbeError, Target } from '../../../shared/verifier-protocol.ts'
import { readAs } from './answer.ts'
import { postMessage } from './mcp-message.ts'
import { type Probe, type ProbeExchange, ProbeFailure } from './probe.ts'
import { RecentMap } from '../../platform/recent-map.ts'

/** How a service answered last, so that it need not be found out each time. */
type Way = { kind: 'session'; id: string; version: string } | { kind: 'stateless' }

const rememberedServices = 10_000

const client = { name: 'gatehouse-verifier', version: '1' }
const sessionVersion = '2025-11-25'
const statelessVersion = '2026-07-28'

const Initialized = z.object({ protocolVersion: z.string().check(z.minLength(1)) })
const Discovered = z.object({ supportedVersions: z.array(z.string()).check(z.minLength(1)) })

/** What a server that knows no `initialize` may answer to one. */
const mayBeStateless: ReadonlySet<ProbeError> = new Set(['HTTP_4XX', 'RPC_ERROR'])

/**
 * A server that opens a session with `initialize` is pinged in that session from then on: one per probe would pile up
 * on servers that never end them. Servers since 2026-07-28 have neither and are asked `server/discover`.
 */
export function createMcpProbe(): Probe {
  const ways = new RecentMap<string, Way>(rememberedServices)

  async function open(target: Target, exchange: ProbeExchange): Promise<void> {
    const { result, sessionId } = await postMessage(target, initialize, {}, exchange)
    const { protocolVersion: version } = readAs(Initialized, result)
    if (sessionId !== null) ways.set(keyOf(target), { kind: 'session', id: sessionId, version })
  }

  async function openOrDiscover(target: Target, exchange: ProbeExchange): Promise<void> {
    try {
      await open(target, exchange)
    } catch (failure) {
      if (!(failure instanceof ProbeFailure) || !mayBeStateless.has(failure.error)) throw failure
      if (!(await isStateless(target, exchange))) throw failure
      ways.set(keyOf(target), { kind: 'stateless' })
    }
  }

  return {
    async head(target, _chain, exchange) {
      const way = ways.get(keyOf(target))
      const answers = way !== undefined && (await stillAnswers(target, way, exchange))
      if (!answers) {
        ways.delete(keyOf(target))
        await openOrDiscover(target, exchange)
      }
      return { ok: true, head: null, error: null }
    },
  }
}

/** A session belongs to one address and to one service's credential, and must reach no other. */
const keyOf = (target: Target): string => `${target.serviceId} ${target.endpoint}`

const initialize = {
  method: 'initialize',
  params: { protocolVersion: sessionVersion, capabilities: {}, clientInfo: client },
}

/** Required of every request since 2026-07-28; the headers repeat what the body says. */
const discover = {
  method: 'server/discover',
  params: {
    _meta: {
      'io.modelcontextprotocol/protocolVersion': statelessVersion,
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': client,
    },
  },
}
const discoverHeaders = { 'mcp-protocol-version': statelessVersion, 'mcp-method': discover.method }

/** Whether the endpoint goes on as it did. A session that is gone, or a change of era, is no failure yet. */
async function stillAnswers(target: Target, way: Way, exchange: ProbeExchange): Promise<boolean> {
  if (way.kind === 'stateless') return isStateless(target, exchange)
  const headers = { 'mcp-session-id': way.id, 'mcp-protocol-version': way.version }
  return succeeds(() => postMessage(target, { method: 'ping', params: {} }, headers, exchange))
}

const isStateless = (target: Target, exchange: ProbeExchange): Promise<boolean> =>
  succeeds(async () =>
    readAs(Discovered, (await postMessage(target, discover, discoverHeaders, exchange)).result),
  )

/** False for a refusal; every other failure (rate limit, time-out, …) is the finding. */
async function succeeds(ask: () => Promise<unknown>): Promise<boolean> {
  try {
    await ask()
    return true
  } catch (error) {
    if (error instanceof ProbeFailure && mayBeStateless.has(error.error)) return false
    throw error
  }
}
