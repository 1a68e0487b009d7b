import type { Connections } from '../connections/connections.ts'
import type { RegistryQueries } from '../registry/registry.ts'
import type { AnswerMemory } from './answer-memory.ts'
import type { GatewaySessions } from './sessions/sessions.ts'
import type { StateSeal } from './state-seal.ts'

/** What the tools work with. */
export interface Parties {
  readonly registry: RegistryQueries
  readonly connections: Omit<Connections, 'acceptTools' | 'endSession' | 'stop' | 'passThrough'>
  readonly sessions: GatewaySessions
  readonly answers: AnswerMemory
  readonly seal: StateSeal
  /** Counts one call that reaches out to another server; seconds to wait when there were too many. */
  readonly countReach: (address: string | null) => number
}
