import { defineQueryOptions } from '@pinia/colada'

import { trpc } from '../trpc.ts'

/** How one can get in here. */
export const signInOptionsQuery = defineQueryOptions({
  key: ['sign-in-options'],
  query: () => trpc.accounts.signInOptions.query(),
})
