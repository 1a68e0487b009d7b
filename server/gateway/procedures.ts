import { PlaygroundCall, PlaygroundTarget } from '../../shared/playground.ts'
import type { Connections, Scope, ConnectionTarget } from '../connections/connections.ts'
import type { PublicAddress } from '../platform/http/public-address.ts'
import type { RegistryQueries } from '../registry/registry.ts'
import { type SignedIn, operatorProcedure, router, signedInProcedure } from '../trpc/init.ts'
import type { Gateway } from './gateway.ts'
import { credentialServers, publicServers } from './tool-servers.ts'

/** The domains behind the console's gateway pages. */
export interface GatewayDomains {
  readonly gateway: Pick<Gateway, 'sessionsOf' | 'allSessions'>
  readonly connections: Connections
  readonly registry: RegistryQueries
  readonly address: () => PublicAddress
}

/** Returns the scope of an account's playground: a session that no client of the gateway can have. */
const scopeOf = ({ account }: SignedIn): Scope => ({
  accountId: account.id,
  sessionId: `console:${account.id}`,
})

const target = (connectionId: string): ConnectionTarget => ({ kind: 'connection', connectionId })

const nothingOffered = { bag: new Map(), headers: new Map(), tokens: new Map() } as const

const linkOf = (signal: AbortSignal | undefined) => ({ signal: signal ?? new AbortController().signal })

/** The console can show forms and addresses to the person who uses it, so a tool server may ask for both. */
const canBeAsked = { elicitation: { form: {}, url: {} } } as const

/** The console's gateway procedures: addresses, the playground, and the sessions of agents. */
export function gatewayProcedures({ gateway, connections, registry, address }: GatewayDomains) {
  return router({
    addresses: signedInProcedure.query(() => {
      const { origin } = address()
      return { mcp: `${origin}/mcp`, account: `${origin}/mcp/account`, sse: `${origin}/sse` }
    }),

    /** Lists the tool servers that take credentials. */
    credentialServers: signedInProcedure.query(() => credentialServers(registry)),
    publicServers: signedInProcedure.query(async ({ ctx }) => {
      const all = await connections.list({ ...scopeOf(ctx), accountId: null }, publicServers(registry))
      return all.filter(({ kind }) => kind === 'public')
    }),

    /** Calls are mutations, because they send requests to other servers. */
    tools: signedInProcedure
      .input(PlaygroundTarget)
      .mutation(({ ctx, input, signal }) =>
        connections.listTools(scopeOf(ctx), target(input.connectionId), nothingOffered, linkOf(signal)),
      ),
    callTool: signedInProcedure.input(PlaygroundCall).mutation(async ({ ctx, input, signal }) => {
      const call = { name: input.tool, arguments: input.arguments }
      const { connectionId, inputResponses, requestState } = input
      const outcome = await connections.callTool(scopeOf(ctx), target(connectionId), call, nothingOffered, {
        ...linkOf(signal),
        clientCapabilities: canBeAsked,
        door: 'console',
        ...(inputResponses !== undefined && { inputResponses }),
        ...(requestState !== undefined && { requestState }),
      })
      if (outcome.outcome === 'session_needed') throw new TypeError('the playground has a session')
      return outcome
    }),

    /** Lists the sessions of the account's API keys. */
    sessions: signedInProcedure.query(({ ctx }) => gateway.sessionsOf(ctx.account.id)),
    /** Lists the sessions of every account. */
    allSessions: operatorProcedure.query(() => gateway.allSessions()),
  })
}
