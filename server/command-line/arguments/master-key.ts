import type { Config } from '../../config/config.ts'
import { presentMasterKeys, privateFolder } from '../../config/data-folder.ts'
import { keyId } from '../../platform/vault.ts'

/** Returns the ids of the master keys of these settings; none when there is none yet. */
export const readKeyIds = async ({ dataDir, masterKeys }: Config): Promise<string[]> =>
  (await presentMasterKeys(dataDir, masterKeys)).map(keyId)

/** Returns where the master keys of these settings are. */
export const keyPlace = ({ dataDir, masterKeys }: Config): string =>
  masterKeys === null ? privateFolder(dataDir) : 'GATEHOUSE_MASTER_KEY'
