import { createHash } from 'node:crypto'

import type { AgentProblem } from '../../../shared/agents.ts'
import type { Clock } from '../../platform/clock.ts'
import { fault } from '../../platform/fault.ts'
import { type AddressLimit, createAddressLimit } from '../../platform/http/address-limit.ts'
import { OAuthRefusal, clientRefused } from '../oauth-refusal.ts'
import {
  type AgentClient,
  type AgentSettings,
  documentHost,
  isDocumentAddress,
  readClientDocument,
  readRegistration,
} from './client.ts'
import type { ClientStore } from './client-store.ts'
import type { DocumentReader } from './read-document.ts'
import { RecentMap } from '../../platform/recent-map.ts'

export interface ClientsOptions {
  readonly store: ClientStore
  readonly readDocument: DocumentReader
  readonly settings: AgentSettings
  readonly clock: Clock
  /** Counts documents that were read, and those that could not be. */
  readonly onRead: (outcome: 'read' | 'failed' | 'limited') => void
}

/** Why there is no such client, for the consent page. */
export class NoSuchClient extends Error {
  override readonly name = 'NoSuchClient'
  readonly problem: AgentProblem

  constructor(problem: AgentProblem, publicText: string) {
    super(publicText)
    this.problem = problem
  }
}

/** How long a document is kept, in seconds, whatever it says itself. */
const [shortestSec, longestSec] = [300, 86_400]
/** A document that could not be read is not read again for this long. */
const failedMs = 60_000
const maxFailed = 1_000
const documentsPerMinute = { account: 10, process: 60 }

export type Clients = ReturnType<typeof createClients>

/** Clients by their documents, which are read only for people who are signed in, and by registration. */
export function createClients({ store, readDocument, settings, clock, onRead }: ClientsOptions) {
  const canRegister = settings.canRegister && settings.clientHosts === null
  const failedUntil = new RecentMap<string, number>(maxFailed)
  const ofAccount = createAddressLimit(documentsPerMinute.account, clock.monotonic)
  const ofProcess = createAddressLimit(documentsPerMinute.process, clock.monotonic)

  function countRead(limit: AddressLimit, name: string): void {
    const retryAfterSec = limit.count(name)
    if (retryAfterSec === 0) return
    onRead('limited')
    throw fault('rate_limited', 'Too many unknown clients in a short time', { retryAfterSec })
  }

  async function readClient(id: string, accountId: string): Promise<AgentClient> {
    if ((failedUntil.get(id) ?? 0) > clock.monotonic()) throw unreadable()
    countRead(ofAccount, accountId)
    countRead(ofProcess, 'process')
    const document = await readDocument(id)
    const read = document === null ? null : readClientDocument(id, document.content, settings)
    if (document === null || read === null || !read.ok) {
      onRead('failed')
      failedUntil.set(id, clock.monotonic() + failedMs)
      throw unreadable()
    }
    onRead('read')
    const client: AgentClient = { id, kind: 'document', ...read.client }
    await store.keep(client, Math.min(longestSec, Math.max(shortestSec, document.maxAgeSec ?? shortestSec)))
    return client
  }

  function requireAdmission(id: string): void {
    const { clientHosts } = settings
    if (clientHosts === null || (isDocumentAddress(id) && clientHosts.includes(documentHost(id)))) return
    throw new NoSuchClient(
      'client_not_admitted',
      'An operator of this installation admits other clients only',
    )
  }

  return {
    /** The client of a request for access by somebody who is signed in. Throws `NoSuchClient`, or a fault. */
    async find(id: string, accountId: string): Promise<AgentClient> {
      requireAdmission(id)
      const isDocument = isDocumentAddress(id)
      const known = isDocument || id.startsWith('gcl_') ? await store.find(id) : null
      if (known?.isFresh === true) return known.client
      if (isDocument) return readClient(id, accountId)
      throw new NoSuchClient('client_unknown', 'Nobody registered this client here')
    },

    /** As it was read last: a refresh does not wait for a document. Throws `OAuthRefusal`. */
    async known(id: string): Promise<AgentClient> {
      const known = isDocumentAddress(id) || id.startsWith('gcl_') ? await store.find(id) : null
      if (known === null) throw clientRefused()
      return known.client
    },

    /**
     * RFC 7591. The same metadata is the same client: however often a program registers, there is one row. Throws
     * `OAuthRefusal`.
     */
    async register(body: unknown): Promise<Record<string, unknown>> {
      if (!canRegister) {
        throw new OAuthRefusal(
          'access_denied',
          'Clients cannot register here: use a client metadata document',
          403,
        )
      }
      const read = readRegistration(body, settings)
      if (!read.ok) throw read.problem === 'redirects' ? noRedirects() : badMetadata()
      const { name, redirectUris } = read.client
      const id = `gcl_${createHash('sha256')
        .update(JSON.stringify([name, redirectUris]))
        .digest('base64url')}`
      await store.keep({ id, kind: 'registered', ...read.client }, null)
      return {
        client_id: id,
        client_name: name,
        redirect_uris: redirectUris,
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
        client_id_issued_at: Math.floor(clock.now() / 1_000),
      }
    },

    list: store.list,
    canRegister,
  }
}

const noRedirects = (): OAuthRefusal =>
  new OAuthRefusal(
    'invalid_redirect_uri',
    'redirect_uris: expected an https address, a loopback address, or one of an app that this installation knows',
  )

const badMetadata = (): OAuthRefusal =>
  new OAuthRefusal('invalid_client_metadata', 'The metadata is not valid: see RFC 7591, section 2')

const unreadable = (): NoSuchClient =>
  new NoSuchClient('client_unreadable', 'The document of this client cannot be read, or is not valid')
