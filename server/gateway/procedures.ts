import { ConnectionById, ConnectionForm, ConnectionRelabel } from '../../shared/connections.ts'
import { PlaygroundCall, PlaygroundTarget } from '../../shared/playground.ts'
import type { Connections, DownstreamService, Scope, Target } from '../connections/connections.ts'
import type { PublicAddress } from '../http/public-address.ts'
import { fault } from '../platform/fault.ts'
import type { Author } from '../platform/keys/changes.ts'
import type { RegistryAnswers } from '../registry/registry.ts'
import { type CallContext, operatorProcedure, router, signedInProcedure } from '../trpc/init.ts'
import { downstreamServiceOf } from './downstream-service.ts'
import type { Gateway } from './gateway.ts'
import { credentialServers, publicServers } from './tool-servers.ts'

/** What the console's gateway screen works with. */
export interface GatewayDomains {
  readonly gateway: Pick<Gateway, 'sessions'>
  readonly connections: Connections
  readonly registry: RegistryAnswers
  readonly address: () => PublicAddress
}

interface SignedIn extends CallContext {
  readonly account: NonNullable<CallContext['account']>
}

/** Everybody acts on their own connections only. */
const owner = ({ account, caller, requestId }: SignedIn): Author => ({
  accountId: account.id,
  actor: { id: account.id, label: account.label },
  ip: caller.address,
  requestId,
})

/** The playground of an account is like a session of its own, which no client of the gateway can have. */
const scopeOf = ({ account }: SignedIn): Scope => ({
  accountId: account.id,
  sessionId: `console:${account.id}`,
})

const target = (connectionId: string): Target => ({ kind: 'connection', connectionId })

const nothingOffered = { bag: new Map(), headers: new Map(), tokens: new Map() } as const

const linkOf = (signal: AbortSignal | undefined) => ({ signal: signal ?? new AbortController().signal })

/** The gateway as people use it: its addresses, their connections and sessions, and a place to try tools. */
export function gatewayProcedures({ gateway, connections, registry, address }: GatewayDomains) {
  /** Faults: `invalid_request` when there is no such tool server. */
  function serviceOf({ serviceId, chain }: Pick<ConnectionForm, 'serviceId' | 'chain'>): DownstreamService {
    const found = registry.find({ serviceId, chain })
    if (!found.ok) throw fault('invalid_request', found.refusal.message)
    const service = downstreamServiceOf(found.value)
    if (service === null)
      throw fault('invalid_request', `${serviceId} is no tool server that can be connected to`)
    return service
  }

  return router({
    addresses: signedInProcedure.query(() => {
      const { origin } = address()
      return { mcp: `${origin}/mcp`, sse: `${origin}/sse` }
    }),

    connections: signedInProcedure.query(async ({ ctx }) => {
      const all = await connections.list(scopeOf(ctx), [])
      return all.filter(({ kind }) => kind === 'saved')
    }),
    createConnection: signedInProcedure.input(ConnectionForm).mutation(({ ctx, input }) => {
      const { secret, headerName, label } = input
      return connections.create(owner(ctx), { service: serviceOf(input), secret, headerName, label })
    }),
    relabelConnection: signedInProcedure
      .input(ConnectionRelabel)
      .mutation(({ ctx, input: { id, label } }) => connections.updateLabel(owner(ctx), id, label)),
    deleteConnection: signedInProcedure
      .input(ConnectionById)
      .mutation(({ ctx, input: { id } }) => connections.delete(owner(ctx), id)),
    acceptTools: signedInProcedure
      .input(ConnectionById)
      .mutation(({ ctx, input: { id } }) => connections.acceptTools(owner(ctx), id)),

    /** Tool servers that saved credentials can be for. */
    credentialServers: signedInProcedure.query(() => credentialServers(registry)),
    publicServers: signedInProcedure.query(async ({ ctx }) => {
      const all = await connections.list({ ...scopeOf(ctx), accountId: null }, publicServers(registry))
      return all.filter(({ kind }) => kind === 'public')
    }),

    /** Mutations, because they reach out to others. */
    tools: signedInProcedure
      .input(PlaygroundTarget)
      .mutation(({ ctx, input, signal }) =>
        connections.listTools(scopeOf(ctx), target(input.connectionId), nothingOffered, linkOf(signal)),
      ),
    call: signedInProcedure.input(PlaygroundCall).mutation(({ ctx, input, signal }) => {
      const call = { name: input.tool, arguments: input.arguments }
      const { connectionId } = input
      return connections.callTool(scopeOf(ctx), target(connectionId), call, nothingOffered, linkOf(signal))
    }),

    /** Those of the account's API keys. */
    sessions: signedInProcedure.query(({ ctx }) =>
      gateway.sessions().filter(({ accountId }) => accountId === ctx.account.id),
    ),
    /** Of everybody, in the process that answers. */
    allSessions: operatorProcedure.query(() => gateway.sessions()),
  })
}
