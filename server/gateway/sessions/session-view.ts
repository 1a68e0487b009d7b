import type { GatewaySessionView } from '../../../shared/gateway.ts'
import type { ListedSession } from './sessions.ts'

/** A session as people see it: which providers are bound, never with what. */
export const sessionView = ({ session, usedAt, isOpen }: ListedSession): GatewaySessionView => ({
  id: session.label,
  accountId: session.accountId,
  keyId: session.accountId === null ? null : session.principal,
  kind: session.kind,
  openedAt: session.openedAt,
  lastUsedAt: usedAt,
  expiresAt: session.expiresAt,
  isOpen,
  chain: session.chain,
  boundProviders: [...new Set([...session.bag.keys(), ...session.tokens.keys()])].toSorted(),
})
