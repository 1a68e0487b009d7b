import type { ConnectionUseChange, ConnectionView } from '../../shared/connections.ts'
import type { Author } from '../keys/changes.ts'
import type { DownstreamService, DownstreamServices } from './downstream-service.ts'
import type { ConnectionOAuth } from './oauth/connection-oauth.ts'
import type { KeptAccess } from './oauth/kept-access.ts'
import { publicServiceOf, savedHolder, sessionHolder } from './find-route.ts'
import type { Route } from './route.ts'
import { toolNamesIn } from './tools/pins.ts'
import type { OtherServer } from './tools/shadowed-names.ts'
import type { NewConnection } from './saved/create-connection.ts'
import type { SavedConnections } from './saved/saved-connections.ts'
import type { Scope } from './scope.ts'
import { type SessionConnections, publicIdOf } from './session-connections.ts'
import { publicConnectionView, savedConnectionView, sessionConnectionView } from './views.ts'

export interface ConnectionCatalogueOptions {
  readonly saved: SavedConnections
  readonly sessions: SessionConnections
  readonly services: DownstreamServices
  readonly oauth: Pick<ConnectionOAuth, 'forget' | 'accessOf' | 'revoke'>
  /** Closes the open connections of a session or of a saved connection. */
  closeHolder(holder: string): void
}

/** What became of the access of a deleted connection. */
export interface Deleted {
  /** Whether the authorization server took notice; null: there was nothing to end. */
  readonly isRevoked: boolean | null
}

/** Lists, creates, changes and deletes connections. It sends nothing to tool servers. */
export function createConnectionCatalogue({
  saved,
  sessions,
  services,
  oauth,
  closeHolder,
}: ConnectionCatalogueOptions) {
  const view = (connection: Parameters<typeof savedConnectionView>[0]): ConnectionView =>
    savedConnectionView(connection, services)

  const sessionViews = (scope: Scope): ConnectionView[] =>
    sessions.list(scope).map((connection) => sessionConnectionView(connection, connection.authSource))

  return {
    async list(scope: Scope, publicServices: readonly DownstreamService[]): Promise<ConnectionView[]> {
      const ofAccount = scope.accountId === null ? [] : await saved.list(scope.accountId)
      const ofSession = sessionViews(scope)
      const listed = new Set(ofSession.map(({ id }) => id))
      const unused = publicServices.filter((service) => !listed.has(publicIdOf(service)))
      return [...ofAccount.map(view), ...ofSession, ...unused.map(publicConnectionView)]
    },

    /** Returns the account's saved connections to a service. Never rejects: without the database there are none. */
    async savedFor({ accountId }: Scope, serviceId: string): Promise<ConnectionView[]> {
      const all = accountId === null ? [] : await saved.list(accountId).catch(() => [])
      return all.filter(({ service }) => service.serviceId === serviceId).map(view)
    },

    async get(scope: Scope, connectionId: string): Promise<ConnectionView | null> {
      const ofSession = sessions.find(scope, connectionId)
      if (ofSession !== null) return sessionConnectionView(ofSession, ofSession.authSource)
      const service = publicServiceOf(services, connectionId)
      if (service !== null) return publicConnectionView(service)
      if (scope.accountId === null) return null
      const connection = await saved.find(scope.accountId, connectionId)
      return connection === null ? null : view(connection)
    },

    async create(author: Author, connection: NewConnection): Promise<ConnectionView> {
      return view(await saved.create(author, connection))
    },

    /**
     * Returns the tools of the scope's connections to other servers, as they were last listed. Never rejects: without the
     * database there are those of the session.
     */
    async otherServers(scope: Scope, { service: { url } }: Pick<Route, 'service'>): Promise<OtherServer[]> {
      const { accountId } = scope
      const ofAccount = accountId === null ? [] : await saved.list(accountId).catch(() => [])
      return [...ofAccount, ...sessions.list(scope)].flatMap(({ service, pins }) =>
        pins === null || service.url === url
          ? []
          : [{ name: service.name, toolNames: toolNamesIn(pins.accepted) }],
      )
    },

    updateLabel: async (
      author: Author,
      connectionId: string,
      label: string | null,
    ): Promise<ConnectionView> => view(await saved.updateLabel(author, connectionId, label)),

    keepContent: async (author: Author, connectionId: string, hours: number): Promise<ConnectionView> =>
      view(await saved.keepContent(author, connectionId, hours)),
    async updateUse(author: Author, change: ConnectionUseChange): Promise<ConnectionView> {
      return view(await saved.updateUse(author, change))
    },

    /** Deletes it here first, and then ends its access there. */
    async delete(author: Author, connectionId: string): Promise<Deleted> {
      const held: { access: KeptAccess | null } = { access: null }
      await saved.delete(author, connectionId, async (sql) => {
        held.access = await oauth.accessOf(sql, { id: connectionId, accountId: author.accountId })
      })
      oauth.forget(connectionId)
      closeHolder(savedHolder(connectionId))
      return { isRevoked: held.access === null ? null : await oauth.revoke(held.access) }
    },

    acceptTools: async (author: Author, connectionId: string, fingerprint: string): Promise<ConnectionView> =>
      view(await saved.acceptTools(author, connectionId, fingerprint)),

    endSession(sessionId: string): void {
      sessions.end(sessionId)
      closeHolder(sessionHolder(sessionId))
    },
  }
}
