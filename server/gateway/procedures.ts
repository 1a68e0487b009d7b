import { operatorProcedure, router, signedInProcedure } from '../trpc/init.ts'
import type { Gateway } from './gateway.ts'

/** The sessions of agents, of the process that answers. */
export function gatewayProcedures(gateway: Gateway) {
  return router({
    /** Of the API keys of whoever asks. */
    sessions: signedInProcedure.query(({ ctx }) =>
      gateway.sessions().filter(({ accountId }) => accountId === ctx.account.id),
    ),
    /** Of everybody, those without a key among them. */
    allSessions: operatorProcedure.query(() => gateway.sessions()),
  })
}
