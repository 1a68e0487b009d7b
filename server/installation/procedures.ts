import { operatorProcedure, router, signedInProcedure } from '../trpc/init.ts'
import type { Installation } from './installation.ts'

/** The facts about the installation for the console and the command line. */
export function installationProcedures(installation: Installation) {
  return router({
    /** Returns the address by which this installation is reached, as far as it knows. */
    address: operatorProcedure.query(() => installation.address()),
    info: signedInProcedure.query(({ ctx }) => installation.view(ctx.caller)),
    /** Returns the facts of the settings page. */
    operation: operatorProcedure.query(() => installation.operation()),
  })
}
