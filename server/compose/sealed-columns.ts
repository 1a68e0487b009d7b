import { sealedConsents } from '../connections/oauth/away-store.ts'
import { sealedAccessTokens } from '../connections/oauth/kept-access.ts'
import { sealedRegistrations } from '../connections/oauth/registrations.ts'
import { sealedSecrets } from '../connections/saved/saved-connection.ts'
import { sealedChannels } from '../alerts/settings-store.ts'
import { sealedTargets } from '../alerts/outbox/sender.ts'
import { sealedUpstreams } from '../endpoints/store.ts'
import { sealedAccess } from '../health/services/store.ts'
import { sealedValuesOf } from '../keys/stored-key.ts'
import { sealedAnswers } from '../platform/idempotency/idempotency.ts'
import type { SealedColumn } from '../platform/resealing.ts'
import { sealedSharedSecrets } from '../platform/shared-secrets.ts'
import { sealedSubscribers } from '../status-pages/subscribers/subscriber-store.ts'

/** Every sealed column whose values outlive a sign-in. */
export const sealedColumns: readonly SealedColumn[] = [
  sealedSharedSecrets,
  sealedAccess,
  sealedUpstreams,
  sealedValuesOf('api_keys'),
  sealedValuesOf('query_keys'),
  sealedAnswers,
  sealedSecrets,
  sealedAccessTokens,
  sealedRegistrations,
  sealedConsents,
  sealedChannels,
  sealedTargets,
  sealedSubscribers,
]
