import {
  VirtualServerApply,
  VirtualServerByName,
  VirtualServerOfAccount,
  VirtualServerSave,
} from '../../shared/virtual-servers.ts'
import type { AccountIdOf } from '../trpc/any-account.ts'
import { onBehalfOf, operatorProcedure, ownerOf, router, signedInProcedure } from '../trpc/init.ts'
import type { VirtualServers } from './virtual-servers.ts'

/** The console's procedures for the virtual servers of an account. */
export function virtualServerProcedures(servers: VirtualServers) {
  return router({
    /** Lists the account's own, then those of the installation. */
    list: signedInProcedure.query(({ ctx }) => servers.list(ctx.account.id)),
    /** Shows one with its tools as they are now. A mutation, because it may send requests to tool servers. */
    details: signedInProcedure
      .input(VirtualServerByName)
      .mutation(({ ctx, input }) => servers.details(ctx.account.id, input.name)),
    save: signedInProcedure
      .input(VirtualServerSave)
      .mutation(({ ctx, input }) => servers.save(ownerOf(ctx), input.spec, input.isNew)),
    delete: signedInProcedure
      .input(VirtualServerByName)
      .mutation(({ ctx, input }) => servers.remove(ownerOf(ctx), input.name)),
  })
}

/** The virtual servers of every account, for operators. */
export function virtualServerOperatorProcedures(servers: VirtualServers, accountIdOf: AccountIdOf) {
  return router({
    list: operatorProcedure.query(() => servers.all()),
    details: operatorProcedure
      .input(VirtualServerOfAccount)
      .mutation(async ({ input }) => servers.details(await accountIdOf(input.account), input.name)),
    save: operatorProcedure
      .input(VirtualServerApply)
      .mutation(async ({ ctx, input }) =>
        servers.save(onBehalfOf(await accountIdOf(input.account), ctx), input.spec, false),
      ),
    delete: operatorProcedure
      .input(VirtualServerOfAccount)
      .mutation(async ({ ctx, input }) =>
        servers.remove(onBehalfOf(await accountIdOf(input.account), ctx), input.name),
      ),
  })
}
