import type { Database } from '../../platform/database.ts'
import { type Ownership, createSoleOwnership } from '../../platform/leases/ownership.ts'
import type { FleetLink } from './fleet-link.ts'

/** This process among those that share a database. */
export interface AmongProcesses {
  /** Which of them decides. */
  readonly ownership: Ownership
  /** Null where there can be no other process. */
  readonly link: FleetLink | null
  readonly nodeId: string
  /** Whether the clock of this machine is wrong, so that this process leaves decisions to others. */
  readonly isClockWrong: () => boolean
}

/** A process that has its database for itself. */
export const soleProcess = (database: Pick<Database, 'transaction'>): AmongProcesses => ({
  ownership: createSoleOwnership(database),
  link: null,
  nodeId: '',
  isClockWrong: () => false,
})
