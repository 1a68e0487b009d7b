import { createBackup } from '../backup/backup.ts'
import { createScheduledBackups } from '../backup/scheduled-backups.ts'
import type { Config } from '../config/config.ts'
import type { Cleanups } from '../platform/cleanups.ts'
import { createKeyAgreement } from '../platform/master-keys.ts'
import { startResealing } from '../platform/resealing.ts'
import type { CoreServices } from './core-services.ts'
import { sealedColumns } from './sealed-columns.ts'

/** Begins what is done with everything in the database: it is sealed anew under another master key, and backed up. */
export function openUpkeep(config: Config, core: CoreServices, cleanups: Cleanups) {
  const { database, log, vault, clock } = core
  if (vault.keyIds.length > 1) {
    cleanups.add(startResealing({ ...core, agreement: createKeyAgreement(core) }, sealedColumns).stop)
  }
  const backup = createBackup(database, clock.now, log)
  const schedule = createScheduledBackups({ ...core, ...config.backups, backup, now: clock.now })
  cleanups.add(() => schedule.stop())
  schedule.start()
  return { backup, schedule }
}
