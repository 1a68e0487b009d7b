import type { GatewaySessionKind } from '../../../shared/gateway.ts'
import { randomId } from '../../platform/ids.ts'
import type { Principal } from '../principal.ts'

/** What the gateway remembers between the calls of one client. */
export interface GatewaySession {
  /** Cannot be guessed: a name for its principal, nothing for anybody else. Never logged. */
  readonly id: string
  /** For people and lists; leads to nothing. */
  readonly label: string
  readonly principal: string
  readonly accountId: string | null
  readonly kind: GatewaySessionKind
  /** Epoch ms. */
  readonly openedAt: number
  readonly expiresAt: number
  /** Of another process, which is gone, and all that it remembered. */
  readonly isRebuilt: boolean
  /** Secrets by provider, from `bind_credentials_bag`. */
  bag: ReadonlyMap<string, string>
  /** Bearer tokens by provider, from `bind_mcp_tokens`. */
  tokens: ReadonlyMap<string, string>
  /** Of the latest search: which of several services of the same id is meant. */
  chain: string | null
}

/** One that remembers nothing yet. */
export const newSession = (
  principal: Principal,
  session: Pick<GatewaySession, 'id' | 'kind' | 'openedAt' | 'expiresAt' | 'isRebuilt'>,
): GatewaySession => ({
  ...session,
  label: randomId('session'),
  principal: principal.name,
  accountId: principal.kind === 'account' ? principal.accountId : null,
  bag: new Map(),
  tokens: new Map(),
  chain: null,
})

/** A session that is kept, with what only its keeping needs. Instants are those of the monotonic clock. */
export interface Kept {
  readonly session: GatewaySession
  readonly principal: Principal
  readonly owner: string
  readonly endsAt: number
  usedAt: number
  /** Open streams: as long as there is one, somebody is there. */
  streams: number
  /** Closes what the client holds open. */
  readonly close: () => void
}
