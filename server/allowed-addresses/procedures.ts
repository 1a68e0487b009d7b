import { AddressToAllow, AddressToRevoke } from '../../shared/allowed-addresses.ts'
import { authorOf, operatorProcedure, router } from '../trpc/init.ts'
import type { AllowedAddresses } from './allowed-addresses.ts'

/** Private addresses that may be reached, as operators see and change them. */
export function allowedAddressProcedures({ list, allow, revoke }: AllowedAddresses) {
  return router({
    list: operatorProcedure.query(() => list()),
    allow: operatorProcedure
      .input(AddressToAllow)
      .mutation(({ ctx, input }) => allow(authorOf(ctx), input.address)),
    revoke: operatorProcedure
      .input(AddressToRevoke)
      .mutation(({ ctx, input }) => revoke(authorOf(ctx), input.address)),
  })
}
