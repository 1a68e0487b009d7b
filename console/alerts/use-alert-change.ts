import { useQueryCache } from '@pinia/colada'
import { ref } from 'vue'

import type { AlertView } from '../../shared/alerts.ts'
import { callErrorText, trpc } from '../trpc.ts'
import { useToasts } from '../ui/toasts.ts'
import { alertsKey } from './alert-queries.ts'

/** Changes that are made at once, by a button: each says how it ended, and what depends on it is asked again. */
export function useAlertChange() {
  const cache = useQueryCache()
  const toasts = useToasts()
  const isChanging = ref(false)

  /** Lists that cannot be read say so themselves. */
  const refresh = (): Promise<unknown> =>
    Promise.allSettled([cache.invalidateQueries({ key: [...alertsKey] })])

  /** Resolves to whether it worked. */
  async function change(work: () => Promise<unknown>, done: string): Promise<boolean> {
    if (isChanging.value) return false
    isChanging.value = true
    try {
      await work()
      await refresh() // what is opened for editing next must hold the change
      toasts.show('ok', done)
      return true
    } catch (error) {
      void refresh()
      toasts.show('bad', callErrorText(error))
      return false
    } finally {
      isChanging.value = false
    }
  }

  /** Somebody takes care of an alert. */
  const acknowledge = ({ id, subject }: Pick<AlertView, 'id' | 'subject'>, note = ''): Promise<boolean> =>
    change(
      () => trpc.alerts.acknowledge.mutate({ id, note }),
      `“${subject.name}” is acknowledged: it is not told again until it is over.`,
    )

  return { change, acknowledge, isChanging, refresh }
}
