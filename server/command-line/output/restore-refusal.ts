import type { MigrationVersion } from '../../backup/format.ts'
import type { Restoration } from '../../backup/restore.ts'
import { assertNever } from '../../platform/fault.ts'
import { formatRowCounts } from './quantities.ts'

/** Returns why a backup was not restored. `place` is where the master keys are. */
export function restoreRefusal(outcome: Exclude<Restoration, { kind: 'restored' }>, place: string): string {
  switch (outcome.kind) {
    case 'other_version':
      return (
        `the backup was made by another version of Gatehouse (its tables are ${describe(outcome.backup)}, ` +
        `here they are ${describe(outcome.database)}); restore it with that version, then upgrade`
      )
    case 'not_empty':
      return `the database is not empty (${formatRowCounts(outcome.rows)}); --yes replaces all of it`
    case 'in_use':
      return (
        `${outcome.processes === 1 ? 'a process is' : `${outcome.processes} processes are`} running on the database; ` +
        'stop every one before you restore'
      )
    case 'other_master_key':
      return (
        `secrets of the backup are sealed under the master key ${outcome.keyIds.join(', ')}, which is not in ${place}; ` +
        'bring that key back first. Nothing was changed'
      )
    default:
      return assertNever(outcome)
  }
}

const describe = ({ madeAt }: MigrationVersion): string => `of ${new Date(madeAt).toISOString()}`
