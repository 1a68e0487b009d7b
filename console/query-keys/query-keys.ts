import type { QueryKeyEdit, QueryKeyForm, QueryKeyView } from '../../shared/query-keys.ts'
import { useOwnKeys } from '../keys/own-keys.ts'
import { trpc } from '../trpc.ts'

/** What a new key can be for, and what holds where nothing is said. */
export const queryKeyChoicesQuery = {
  key: ['query-key-choices'],
  query: () => trpc.endpoints.choices.query(),
} as const

/** The query keys of whoever is signed in. */
export function useQueryKeys() {
  const own = useOwnKeys<QueryKeyView>('query-key-list', {
    list: () => trpc.queryKeys.list.query(),
    rotate: (id, overlapMs) => trpc.queryKeys.rotate.mutate({ id, overlapMs }),
    setEnabled: (id, isEnabled) => trpc.queryKeys.setEnabled.mutate({ id, isEnabled }),
    delete: (id) => trpc.queryKeys.delete.mutate({ id }),
    reveal: (id) => trpc.queryKeys.reveal.mutate({ id }),
  })
  return {
    ...own,
    create: (form: QueryKeyForm) => own.keep(trpc.queryKeys.create.mutate(form)),
    setDebug: (id: string, isOn: boolean) => own.keep(trpc.queryKeys.setDebug.mutate({ id, isOn })),
    update: (id: string, edit: QueryKeyEdit) => own.keep(trpc.queryKeys.update.mutate({ id, ...edit })),
  }
}
