import { ChainByKey, type ChainFamily, CustomChain, type ListedChain, families } from '../../shared/chains.ts'
import { authorOf, operatorProcedure, router } from '../trpc/init.ts'
import type { ChainChanges } from './chain-changes.ts'
import { familyDefaults } from './family-defaults.ts'
import { chainIdentityForms } from './identity.ts'

interface ChainDomain {
  readonly list: () => readonly ListedChain[]
  readonly changes: ChainChanges
}

/** Chains as operators list them, and change those that they have added. */
export function chainProcedures({ list, changes }: ChainDomain) {
  return router({
    list: operatorProcedure.query(() => list()),
    /** What a form that adds one has to know. */
    families: operatorProcedure.query((): ChainFamily[] =>
      families.map((family) => ({ family, ...familyDefaults[family], ...chainIdentityForms(family) })),
    ),
    create: operatorProcedure
      .input(CustomChain)
      .mutation(({ ctx, input }) => changes.create(authorOf(ctx), input)),
    /** Puts a chain in the place of the one of its key. */
    update: operatorProcedure
      .input(CustomChain)
      .mutation(({ ctx, input }) => changes.update(authorOf(ctx), input)),
    delete: operatorProcedure
      .input(ChainByKey)
      .mutation(({ ctx, input }) => changes.remove(authorOf(ctx), input.key)),
  })
}
