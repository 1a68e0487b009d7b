import { computeScopeUnion, isStrictScopeSuperset } from '@modelcontextprotocol/client'

import { consolePages } from '../../../shared/console-pages.ts'
import type { PublicAddress } from '../../platform/http/public-address.ts'
import type { BearerAccess } from '../downstream/credential.ts'
import { DownstreamError, ownFailure } from '../downstream/failure.ts'
import type { SavedConnection } from '../saved/saved-connection.ts'
import type { AccessStore } from './access-store.ts'
import type { OAuthAccess } from './access.ts'

/** What a call by OAuth needs. */
export interface BearerAccesses {
  /** Null: the connection has a secret. */
  bearerOf(connection: SavedConnection): BearerAccess | null
  /**
   * The page where its owner agrees; of a connection with a secret, where another one is saved. It is ours: only there
   * can be seen that it is the owner who opens it.
   */
  connectUrl(connection: SavedConnection): string
}

/** Names a failure of ours, such as of the database, as one: among those of the tool server nobody could tell it. */
const named = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((error: unknown) => {
    throw error instanceof DownstreamError ? error : ownFailure(error)
  })

export const createBearerAccesses = (
  access: OAuthAccess,
  store: Pick<AccessStore, 'wantScopes'>,
  address: () => PublicAddress,
): BearerAccesses => ({
  bearerOf({ id, oauth }) {
    if (oauth === null) return null
    access.noticed(id, oauth.version)
    return {
      current() {
        const found = access.current(id)
        return typeof found === 'string' ? found : named(found)
      },
      after: (refused) => named(access.after(id, refused)),
      last: () => access.last(id),
      async lacks(scopes) {
        const union = computeScopeUnion(oauth.scopes ?? undefined, scopes.join(' '))
        if (union === undefined || !isStrictScopeSuperset(union, oauth.scopes ?? undefined)) return false
        return named(store.wantScopes(id, scopes.join(' ')))
      },
    }
  },
  connectUrl({ id, oauth, service: { serviceId } }) {
    const path =
      oauth === null
        ? `${consolePages.gateway}?${new URLSearchParams({ tab: 'connections', create: serviceId })}`
        : consolePages.connectServer.replace(':connectionId', encodeURIComponent(id))
    return `${address().origin}${path}`
  },
})
