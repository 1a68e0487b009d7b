import type { ApiKeyInput, ApiKeyView } from '../../shared/api-keys.ts'
import { useOwnKeys } from '../keys/own-keys.ts'
import { trpc } from '../trpc.ts'

/** The API keys of whoever is signed in. */
export function useApiKeys() {
  const own = useOwnKeys<ApiKeyView>('api-key-list', {
    list: () => trpc.apiKeys.list.query(),
    rotate: (id, overlapMs) => trpc.apiKeys.rotate.mutate({ id, overlapMs }),
    setEnabled: (id, isEnabled) => trpc.apiKeys.setEnabled.mutate({ id, isEnabled }),
    delete: (id) => trpc.apiKeys.delete.mutate({ id }),
    reveal: (id) => trpc.apiKeys.reveal.mutate({ id }),
  })
  return {
    ...own,
    create: (input: ApiKeyInput) => own.keep(trpc.apiKeys.create.mutate(input)),
    update: (id: string, input: ApiKeyInput) => own.keep(trpc.apiKeys.update.mutate({ id, ...input })),
  }
}
