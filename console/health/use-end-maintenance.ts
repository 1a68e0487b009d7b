import { useMutation } from '@pinia/colada'

import { callErrorText, trpc } from '../trpc.ts'
import { useToasts } from '../ui/toasts.ts'

/** Ends announced work before its time. */
export function useEndMaintenance(onEnded: () => void) {
  const toasts = useToasts()
  const { mutate, isLoading } = useMutation({
    mutation: (id: string) => trpc.services.endMaintenance.mutate({ id }),
    onSuccess() {
      toasts.show('ok', 'The maintenance is over: incidents count again.')
      onEnded()
    },
    onError: (error) => toasts.show('bad', callErrorText(error)),
  })
  return { end: (id: string) => mutate(id), isEnding: isLoading }
}
