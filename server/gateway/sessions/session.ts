import type { GatewaySessionKind } from '../../../shared/gateway.ts'
import { randomId } from '../../platform/ids.ts'
import { type GatewayCaller, sessionHolderOf } from '../authentication.ts'

/** The state that the gateway keeps between the calls of one client. */
export interface GatewaySession {
  /** An unguessable id that is valid for its caller only. It is never logged. */
  readonly id: string
  /** A name for people and lists, which gives no access. */
  readonly label: string
  /** The name under which its caller finds it. */
  readonly holder: string
  readonly callerName: string
  readonly accountId: string | null
  readonly kind: GatewaySessionKind
  /** Epoch ms. */
  readonly openedAt: number
  readonly expiresAt: number
  /** True when the session comes from a process that is gone; what it had stored is lost. */
  readonly isRebuilt: boolean
  /** Secrets by provider, bound with `bind_credentials_bag`. */
  bag: ReadonlyMap<string, string>
  /** Bearer tokens by provider, bound with `bind_mcp_tokens`. */
  tokens: ReadonlyMap<string, string>
  /** The chain of the latest search, which selects among services of the same id. */
  chain: string | null
}

/** Makes a session without any state. */
export const newGatewaySession = (
  caller: GatewayCaller,
  session: Pick<GatewaySession, 'id' | 'kind' | 'openedAt' | 'expiresAt' | 'isRebuilt'>,
): GatewaySession => ({
  ...session,
  label: randomId('session'),
  holder: sessionHolderOf(caller),
  callerName: caller.name,
  accountId: caller.kind === 'account' ? caller.accountId : null,
  bag: new Map(),
  tokens: new Map(),
  chain: null,
})

/** A session and its bookkeeping. Instants are those of the monotonic clock. */
export interface SessionEntry {
  readonly session: GatewaySession
  readonly caller: GatewayCaller
  readonly owner: string
  readonly endsAt: number
  usedAt: number
  /** The number of open streams; a session with one is in use. */
  streams: number
  /** Closes the client's connections. */
  readonly close: () => void
}
