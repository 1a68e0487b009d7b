import type { Health } from '../health/health.ts'
import { serviceProcedures, verifierProcedures } from '../health/procedures.ts'
import { router } from './init.ts'

/** Every procedure of the console and the command line. */
export function createRouter(domains: { health: Health }) {
  return router({
    services: serviceProcedures(domains.health),
    verifiers: verifierProcedures(domains.health),
  })
}

export type AppRouter = ReturnType<typeof createRouter>
