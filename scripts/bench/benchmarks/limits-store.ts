import { rmSync } from 'node:fs'

import { RedisClient } from 'bun'

import { createSharedLimits, type SharedLimits } from '../../../server/limits/shared-store/shared-limits.ts'
import { systemClock } from '../../../server/platform/clock.ts'
import { silentLog, temporaryDataDir } from '../../world/database.ts'
import { findCommand } from '../../world/find-command.ts'
import { startStore } from '../../world/limit-nodes/nodes.ts'
import { waitUntil } from '../../world/wait-until.ts'
import { type Benchmark, benchmarkRowOf } from '../benchmark.ts'

const title = 'Store of the limits'
const seconds = 5
const callersAtOnce = 64

/** What the server itself says it did: calls of scripts, and its processor time in µs. */
interface StoreWork {
  readonly scripts: number
  readonly cpuMicros: number
}

export const limitsStore: Benchmark = {
  name: 'limits-store',
  about: 'leases that one Redis grants, each to another key: the dearest case',

  async run({ rounds }) {
    if (findCommand('redis-server') === null)
      return { title, rows: [], notes: ['skipped: needs redis-server (apt-get install)'] }
    const folder = temporaryDataDir()
    const store = await startStore(folder)
    const limits = createSharedLimits({
      store: { url: store.url, prefix: 'bench' },
      clock: systemClock,
      log: silentLog,
      whenStoreLost: 'closed',
      maxKeys: 5_000_000,
    })
    try {
      await waitUntil('the store grants', async () => (await admit(limits, 'first')) === 'admitted')
      const perSecond: number[] = []
      const cpuMicros: number[] = []
      for (let round = 0; round < rounds; round++) {
        const before = await workOf(store.url)
        await grantFor(limits, round)
        const after = await workOf(store.url)
        const scripts = after.scripts - before.scripts
        perSecond.push(scripts / seconds)
        cpuMicros.push((after.cpuMicros - before.cpuMicros) / scripts)
      }
      return {
        title,
        rows: [
          benchmarkRowOf('leases granted to one process', '/s', perSecond),
          benchmarkRowOf('CPU of Redis for a lease, network included', 'µs', cpuMicros),
        ],
        notes: [
          `${callersAtOnce} calls at once for ${seconds} s, each of a key that has no lease yet, from one process on the same cores. Redis works on one core: 1,000,000 µs by the CPU of a lease is what one of them can grant in a second.`,
        ],
      }
    } finally {
      limits.close()
      await store.kill()
      rmSync(folder, { recursive: true, force: true })
    }
  },
}

async function grantFor(limits: SharedLimits, round: number): Promise<void> {
  const endsAt = performance.now() + seconds * 1_000
  let keys = 0
  const caller = async (): Promise<void> => {
    while (performance.now() < endsAt) {
      const kind = await admit(limits, `key ${round} ${++keys}`)
      if (kind !== 'admitted') throw new Error(`a lease was not granted: ${kind}`)
    }
  }
  await Promise.all(Array.from({ length: callersAtOnce }, caller))
}

async function admit(limits: SharedLimits, keyId: string): Promise<string> {
  const rate = { units: 1_000, period: 'minute' } as const
  return (await limits.admit({ keyId, rate, credits: null, calls: 1, cost: 0 })).kind
}

async function workOf(url: string): Promise<StoreWork> {
  const client = new RedisClient(url)
  try {
    const told =
      String(await client.send('INFO', ['cpu'])) + String(await client.send('INFO', ['commandstats']))
    const number = (pattern: RegExp): number => Number(pattern.exec(told)?.[1] ?? 0)
    const cpuSec = number(/used_cpu_user:([\d.]+)/) + number(/used_cpu_sys:([\d.]+)/)
    return { scripts: number(/cmdstat_evalsha:calls=(\d+)/), cpuMicros: cpuSec * 1e6 }
  } finally {
    client.close()
  }
}
