import type { SelectableService } from '../../../shared/alert-services.ts'
import type { AccountNews, MonthBudget, InstallationTrouble } from '../../../shared/alerts.ts'
import type { Decision } from '../../../shared/health.ts'

/** A service as rules look at it. Instants are epoch ms. */
export interface AlertableService extends SelectableService {
  readonly name: string
  readonly decision: Decision
  /** The decision before; the same where none is known. */
  readonly previous: Decision
  /** One sentence for people; '' where none is known. */
  readonly reason: string
  readonly since: number
  /** When its decision changed of late, the oldest first. */
  readonly changes: readonly number[]
  /** What its votes ask for by now, if that is another decision. */
  readonly pending: Decision | null
  /** When its TLS certificate ends; null where none is known. */
  readonly certificateEndsAt: number | null
  /** The note of work that is announced on it; null without. */
  readonly maintenance: string | null
}

export interface WatchedVerifier {
  readonly id: string
  readonly name: string
  /** Epoch ms of its last report; null: it has never reported. */
  readonly lastSeenAt: number | null
  /** Epoch ms from which on it is silent unless it reports before; null: nothing is expected of it. */
  readonly silentAt: number | null
  /** It counts for no quorum. */
  readonly isSetAside: boolean
  readonly isIsolated: boolean
}

/** Something with a name that is no service. */
interface Named {
  readonly id: string
  readonly name: string
}

/** A key that can be used and ends within 400 days. */
export interface EndingKey extends Named {
  readonly kind: 'query' | 'API'
  readonly endsAt: number
}

/** A limit of a query key, or of all keys of an account together. */
export interface UsedLimit extends Named {
  readonly of: 'key' | 'account'
  readonly measure: 'calls' | 'credits'
  readonly used: number
  readonly limit: number
  readonly period: string
}

/** What an account or a query key has used of a budget of the month, where that is all that a rule wants to be told of. */
export interface MonthBudgetUse extends Named, Pick<MonthBudget, 'of' | 'measure'> {
  readonly used: number
  /** `2026-11`, in UTC. */
  readonly month: string
}

export interface KnownTrouble {
  readonly kind: InstallationTrouble
  readonly since: number
  /** What is wrong, for people. */
  readonly text: string
}

export interface ChangedTools extends Named {
  /** Names of tools that are new, changed or gone. */
  readonly tools: readonly string[]
}

/** Something that happened to an account within the last day. */
export interface AccountEvent extends Named {
  readonly kind: AccountNews
  readonly at: number
  /** The network (/24 or /48) of a new place; null for others. */
  readonly network: string | null
}

/** What the slow look brings. */
export interface SlowFacts {
  readonly verifiers: readonly WatchedVerifier[]
  readonly endingKeys: readonly EndingKey[]
  /** The fullest one of each key and of each account. */
  readonly usedLimits: readonly UsedLimit[]
  readonly budgetUses: readonly MonthBudgetUse[]
  readonly troubles: readonly KnownTrouble[]
  readonly changedTools: readonly ChangedTools[]
  readonly accountEvents: readonly AccountEvent[]
}

export const noFacts: SlowFacts = {
  verifiers: [],
  endingKeys: [],
  usedLimits: [],
  budgetUses: [],
  troubles: [],
  changedTools: [],
  accountEvents: [],
}
