import { operatorProcedure, router, signedInProcedure } from '../trpc/init.ts'
import type { Installation } from './installation.ts'

export function installationProcedures(installation: Installation) {
  return router({
    /** Where this installation is reached by HTTP, as far as it knows itself. */
    address: operatorProcedure.query(() => installation.address()),
    info: signedInProcedure.query(({ ctx }) => installation.view(ctx.caller)),
    /** For the page of settings. */
    operation: operatorProcedure.query(() => installation.operation()),
  })
}
