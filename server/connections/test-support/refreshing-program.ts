import { fileURLToPath } from 'node:url'

import { silentLog } from '../../../scripts/world/database.ts'
import { createEgress } from '../../platform/egress.ts'
import { systemClock } from '../../platform/clock.ts'
import { openDatabase } from '../../platform/database.ts'
import { createMetrics } from '../../platform/metrics.ts'
import { createVault } from '../../platform/vault.ts'
import { createOAuthAccess } from '../oauth/access.ts'
import { createAccessStore } from '../oauth/access-store.ts'
import { issuerFetch } from '../oauth/discovery.ts'
import { createUnstoredTokens } from '../oauth/unstored-tokens.ts'

/**
 * One process of an installation that needs the access token of a connection many times at once: `<database> <vault key>
 * <connection> <times>`. It says `ready`, waits for a line, asks, says `asked`, and then how many distinct tokens it got.
 */

const [url = '', key = '', id = '', times = '0'] = process.argv.slice(2)
const migrationsFolder = fileURLToPath(new URL('../../migrations', import.meta.url))
const database = await openDatabase({ url, dataDir: '', log: silentLog, migrationsFolder, canMigrate: false })
const egress = createEgress({ clock: systemClock, allowPrivate: ['127.0.0.0/8'], schemes: ['http'] })
const metrics = createMetrics()
const store = createAccessStore(database)
const access = createOAuthAccess({
  store,
  unstored: createUnstoredTokens(store, silentLog),
  registrations: { forget: async () => undefined },
  vault: createVault([Buffer.from(key, 'hex')]),
  fetch: issuerFetch(egress.fetch),
  clock: systemClock,
  refreshes: metrics.counter('connection_refreshes_total', 'Refreshes', ['outcome']),
  waits: metrics.histogram('connection_refresh_wait_seconds', 'Waits'),
  drop: async () => undefined,
})

const say = (line: string): void => void process.stdout.write(`${line}\n`)

say('ready')
for await (const _ of console) break
const asked = Array.from({ length: Number(times) }, async () => access.current(id))
say(`asked ${asked.length}`)
const outcomes = await Promise.allSettled(asked)
const tokens = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value : 'none'))
say(`got ${tokens.filter((token) => token !== 'none').length} of ${new Set(tokens).size}`)
egress.close()
await database.close()
process.exit(0)
