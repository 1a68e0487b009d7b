import { waitUntil } from '../../../scripts/world/wait-until.ts'
import { systemClock } from '../../platform/clock.ts'
import { createAgent } from '../agent.ts'
import { createVerifierIdentity } from '../identity/identity.ts'
import type { ServerClient } from '../server-client/server-client.ts'
import { createMemoryState } from '../identity/state.ts'
import { silentLog } from '../../../scripts/world/database.ts'
import { assignments, healthyRunner, target, withInterval } from './fixtures.ts'

/*
 * A process that starts an agent, lets it come as far as a first report, and stops it. It does not call exit: it ends
 * when nothing is left to do, or hangs when the agent left a timer behind.
 */

let reports = 0
const serverClient: ServerClient = {
  assignments: (etag) =>
    etag === null
      ? Promise.resolve({ kind: 'changed', assignments: assignments([target('a', withInterval(100))]) })
      : new Promise(() => {}),
  report() {
    reports += 1
    return Promise.resolve({ kind: 'busy', retryAfterMs: 60_000 })
  },
  ping: () => Promise.resolve(true),
}

const agent = createAgent({
  serverClient,
  runner: healthyRunner,
  dialFor: () => () => Promise.resolve(null),
  checkCanary: () => Promise.resolve(true),
  defaultCanaryChecks: {
    checkGateway: () => Promise.resolve(false),
    checkAddress: () => Promise.resolve(false),
  },
  identity: createVerifierIdentity(),
  state: createMemoryState('ver_1'),
  clock: systemClock,
  random: () => 0,
  log: silentLog,
})
agent.start()
await waitUntil('a first report', () => reports === 1)
await agent.stop()
process.stdout.write('stopped')
