import {
  ConnectionById,
  ConnectionForm,
  ConnectionRelabel,
  ContentKeeping,
  ConnectionUseChange,
  IssuerClientForm,
  IssuerOf,
  ToolsAcceptance,
} from '../../shared/connections.ts'
import { fault } from '../platform/fault.ts'
import { ToolServerAcceptance, ToolServerByUrl } from '../../shared/tool-servers.ts'
import {
  type SignedIn,
  accountProcedure,
  authorOf,
  operatorProcedure,
  ownerOf,
  router,
  signedInProcedure,
} from '../trpc/init.ts'
import type { Connections, DownstreamServices } from './connections.ts'

/** Returns the scope of an account. The console is no gateway session and sees saved connections only. */
const scopeOf = ({ account }: SignedIn) => ({ accountId: account.id, sessionId: '' })

/** The console's procedures for saved connections. Secrets can be written and never read. */
export function connectionProcedures(connections: Connections, services: DownstreamServices) {
  return router({
    /** Lists saved connections, newest first. */
    list: accountProcedure.query(({ ctx }) => connections.list(scopeOf(ctx), [])),
    create: accountProcedure.input(ConnectionForm).mutation(({ ctx, input }) => {
      const { serviceId, chain, secret, headerName, label } = input // without a secret: by OAuth
      const service = services.find(serviceId, chain ?? null)
      if (service === null) throw fault('not_found', 'The registry lists no such tool server')
      return connections.create(ownerOf(ctx), { service, secret, headerName, label })
    }),
    updateLabel: accountProcedure
      .input(ConnectionRelabel)
      .mutation(({ ctx, input }) => connections.updateLabel(ownerOf(ctx), input.id, input.label)),
    /** Has the record of tool calls keep arguments and results of this connection for a while. */
    keepContent: accountProcedure
      .input(ContentKeeping)
      .mutation(({ ctx, input }) => connections.keepContent(ownerOf(ctx), input.id, input.hours)),
    updateUse: accountProcedure
      .input(ConnectionUseChange)
      .mutation(({ ctx, input }) => connections.updateUse(ownerOf(ctx), input)),
    /** Accepts the tools as they were shown. */
    acceptTools: accountProcedure
      .input(ToolsAcceptance)
      .mutation(({ ctx, input }) => connections.acceptTools(ownerOf(ctx), input.id, input.fingerprint)),
    /** Returns the accepted definitions of changed tools. */
    acceptedTools: accountProcedure
      .input(ConnectionById)
      .query(({ ctx, input }) => connections.acceptedTools(ctx.account.id, input.id)),
    delete: accountProcedure
      .input(ConnectionById)
      .mutation(({ ctx, input }) => connections.delete(ownerOf(ctx), input.id)),
    /** Returns one of the account's saved connections. */
    get: accountProcedure.input(ConnectionById).query(async ({ ctx, input }) => {
      const found = await connections.get(scopeOf(ctx), input.id)
      if (found?.kind !== 'saved') throw fault('not_found', 'There is no such connection')
      return found
    }),
    /** Returns where the owner agrees, and from where they come back to this web session alone. */
    beginConsent: signedInProcedure
      .input(ConnectionById)
      .mutation(({ ctx, input }) =>
        connections.oauth.begin(
          { author: ownerOf(ctx), sessionId: ctx.session.id },
          input.id,
          ctx.caller.origin,
        ),
      ),
  })
}

/** What operators were given by authorization servers that register nobody by themselves. Secrets can be written and never read. */
export function issuerProcedures({ oauth: { issuers } }: Pick<Connections, 'oauth'>) {
  return router({
    list: operatorProcedure.query(() => issuers.list()),
    set: operatorProcedure
      .input(IssuerClientForm)
      .mutation(({ ctx, input }) => issuers.set(authorOf(ctx), input)),
    remove: operatorProcedure
      .input(IssuerOf)
      .mutation(({ ctx, input }) => issuers.remove(authorOf(ctx), input.issuer)),
  })
}

/** What the installation knows of tool servers that anybody may use, for operators. */
export function toolServerProcedures({ toolServers }: Pick<Connections, 'toolServers'>) {
  return router({
    /** Lists them, those that changed last first. */
    list: operatorProcedure.query(() => toolServers.list()),
    /** Returns changed tools as they were accepted and as they are now. */
    changes: operatorProcedure.input(ToolServerByUrl).query(({ input }) => toolServers.changes(input.url)),
    /** Accepts the tools as they were shown. */
    acceptTools: operatorProcedure
      .input(ToolServerAcceptance)
      .mutation(({ ctx, input }) => toolServers.accept(authorOf(ctx), input.url, input.fingerprint)),
  })
}
