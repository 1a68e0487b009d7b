import type { Health } from '../health/health.ts'
import { serviceProcedures, verifierProcedures } from '../health/procedures.ts'
import { operatorProcedure, router } from './init.ts'

/** Every procedure of the console and the command line. */
export function createRouter(domains: { health: Health; address: string }) {
  return router({
    installation: router({
      /** Where this installation is reached by HTTP, as far as it knows itself. */
      address: operatorProcedure.query(() => domains.address),
    }),
    services: serviceProcedures(domains.health),
    verifiers: verifierProcedures(domains.health),
  })
}

export type AppRouter = ReturnType<typeof createRouter>
