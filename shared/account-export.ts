import type { AgentGrantView } from './agents.ts'
import type { ListedAccount, SessionView } from './accounts.ts'
import type { ApiKeyView } from './api-keys.ts'
import type { AuditEvent } from './audit.ts'
import type { ConnectionView } from './connections.ts'
import type { QueryKeyView } from './query-keys.ts'
import type { OwnTeam } from './teams.ts'
import type { ToolPolicyView } from './tool-policies.ts'
import type { VirtualServerView } from './virtual-servers.ts'

/** Everything that is stored of an account, without a secret: one document for its owner, or before it is deleted. */
export interface AccountExport {
  readonly format: 'gatehouse-account-1'
  /** Instants are epoch ms, days are those of UTC. */
  readonly exportedAt: number
  readonly account: ListedAccount
  readonly sessions: readonly SessionView[]
  /** Of which it is a member. */
  readonly teams: readonly OwnTeam[]
  readonly queryKeys: readonly QueryKeyView[]
  readonly apiKeys: readonly ApiKeyView[]
  readonly agents: readonly AgentGrantView[]
  readonly connections: readonly ConnectionView[]
  readonly virtualServers: readonly VirtualServerView[]
  readonly toolPolicies: readonly ToolPolicyView[]
  /** Of every day on which it called something, for as long as days are kept. */
  readonly usage: readonly { readonly day: string; readonly calls: number; readonly credits: number }[]
  /** What it did, and what was done to it; of others without their address. The oldest first. */
  readonly audit: readonly AuditEvent[]
  /** False: older events than these are only in the audit log itself. */
  readonly isAuditComplete: boolean
}

/** What the deletion of an account led to. */
export interface AccountDeletion {
  readonly id: string
  readonly removed: {
    readonly queryKeys: number
    readonly apiKeys: number
    readonly agents: number
    readonly connections: number
    readonly virtualServers: number
    readonly toolPolicies: number
  }
  /** False: a process of the installation has not confirmed it yet. */
  readonly propagated: boolean
}
