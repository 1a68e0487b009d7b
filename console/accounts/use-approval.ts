import { useMutation } from '@pinia/colada'

import { callErrorText, trpc } from '../trpc.ts'
import type { RouterAnswers } from '../trpc.ts'
import { useToasts } from '../ui/toasts.ts'
import { accountName } from './identity-words.ts'

/** An account that waits for approval. */
export type WaitingAccount = RouterAnswers['accounts']['pending']['accounts'][number]

/** Letting in accounts that wait; `reload` reads the list of them anew. */
export function useApproval(reload: () => Promise<unknown>) {
  const toasts = useToasts()
  const approving = useMutation({
    mutation: ({ id }: WaitingAccount) => trpc.accounts.approve.mutate({ account: id }),
    async onSuccess(_answer, account) {
      await reload()
      toasts.show('ok', `${accountName(account)} is approved.`)
    },
    onError: (failure) => toasts.show('bad', callErrorText(failure)),
  })
  return {
    approve: (account: WaitingAccount): void => approving.mutate(account),
    isBusy: ({ id }: WaitingAccount): boolean =>
      approving.isLoading.value && approving.variables.value?.id === id,
  }
}
