import { useQuery } from '@pinia/colada'
import { computed } from 'vue'
import type { ComputedRef } from 'vue'

import { trpc } from '../trpc.ts'
import { useAccount } from './account.ts'
import { accountName } from './identity-words.ts'

/**
 * What an account is called, as operators see it: its id until that is known, and where it is deleted. Null for none. Each
 * account is asked for by itself, because there may be any number of them.
 */
export function useAccountName(accountId: () => string | null): ComputedRef<string | null> {
  const own = useAccount()
  const { data } = useQuery(() => ({
    key: ['account', accountId() ?? ''],
    query: () => trpc.accounts.find.query({ account: accountId() ?? '' }),
    enabled: own.isOperator && accountId() !== null,
  }))
  return computed(() => {
    const id = accountId()
    return data.value === undefined || data.value.id !== id ? id : accountName(data.value)
  })
}
