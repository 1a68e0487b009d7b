import { expect, onTestFinished, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { silentLog } from '../../scripts/world/database.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { verifierOf } from '../health/test-support/fixtures.ts'
import { createVirtualClock } from '../health/test-support/virtual-clock.ts'
import { systemClock } from '../platform/clock.ts'
import { createEgress } from '../platform/egress.ts'
import { createBuiltInVerifier } from './built-in.ts'

test('a built-in verifier that ended is started again, as often as it takes', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-built-in-'))
  const egress = createEgress({ clock: systemClock, allowPrivate: [] })
  let starts = 0
  let asked = 0
  const verifier = createBuiltInVerifier({
    health: {
      suspect() {},
      verifiers: {
        switchOnBuiltIn() {
          starts += 1
          if (starts === 2 || starts === 3) return Promise.reject(new Error('the database is away'))
          return Promise.resolve(verifierOf('built-in', { isBuiltIn: true }))
        },
        switchOffBuiltIn() {},
        assignments({ signal }) {
          asked += 1
          if (asked === 1) return Promise.reject(new TypeError('a mistake in the program'))
          return new Promise((resolve) => signal.addEventListener('abort', () => resolve(null)))
        },
        reports: {
          authenticate: () => expect.unreachable(),
          take: () => expect.unreachable(),
          receive: () => expect.unreachable(),
        },
      },
    },
    egress,
    clock: createVirtualClock(),
    log: silentLog,
    folder,
    restartAfterMs: 1,
  })
  onTestFinished(async () => {
    await verifier.stop()
    egress.close()
    await rm(folder, { recursive: true })
  })
  await verifier.switchTo(true)
  await verifier.allow(true)
  await waitUntil('it asks for its assignments again', () => asked === 2)
  expect(starts).toBe(4)
})
