import { spawnSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { createTestInstallation, type GatehouseProcess, isReady, type TestInstallation } from '../gatehouse-process.ts' // prettier-ignore
import { createFakeClock, type FakeClock } from '../ordinary-faults/faketime.ts'
import { waitUntil } from '../wait-until.ts'

/** One place of an installation, in which one process runs after the other. */
export interface FleetPlace {
  readonly name: string
  readonly port: number
  readonly url: string
  /** Null where Debian's faketime is missing. */
  readonly clock: FakeClock | null
  /** Where its data is, if that has a small file system of its own; else null. */
  readonly smallFolder: string | null
  /** The one that runs, or ran last. */
  server(): GatehouseProcess
  /** The settings of those that are started from now on. */
  give(environment: Readonly<Record<string, string>>): void
  start(): Promise<void>
  /** What all its processes wrote. */
  output(): string
  remove(): Promise<void>
}

const folderSize = '64m'
/** On a machine that has other things to do. */
const startsWithinMs = 120_000

/** Makes the places, without starting anything. Those with small folders need `unshare --mount` around this process. */
export async function createPlaces(
  count: number,
  file: object,
  hasOwnMounts: boolean,
): Promise<FleetPlace[]> {
  const installations: TestInstallation[] = []
  for (let index = 0; index < count; index++) installations.push(await createTestInstallation(file))
  return installations.map((installation, index) => createPlace(installation, index, hasOwnMounts))
}

/** What all processes of the installation are given. */
export const environmentOf = (
  addresses: { readonly database: string; readonly direct: string; readonly store: string },
  publicUrl: string,
  operator: string,
): Record<string, string> => ({
  DATABASE_URL: addresses.database,
  DATABASE_DIRECT_URL: addresses.direct,
  REDIS_URL: addresses.store,
  GATEHOUSE_MASTER_KEY: randomBytes(32).toString('base64'),
  GATEHOUSE_PUBLIC_URL: publicUrl,
  GATEHOUSE_TRUSTED_PROXIES: '127.0.0.1/32',
  GATEHOUSE_OPERATORS: operator,
  GATEHOUSE_DRAIN_DELAY_MS: '1000',
})

function createPlace(installation: TestInstallation, index: number, hasOwnMounts: boolean): FleetPlace {
  const { dataDir, port, url, filePath } = installation
  const clock = createFakeClock(join(filePath, '..', 'clock'))
  const servers: GatehouseProcess[] = []
  let environment: Record<string, string> = {}
  if (hasOwnMounts) mountSmall(dataDir)
  return {
    name: `process ${index + 1}`,
    port,
    url,
    clock,
    smallFolder: hasOwnMounts ? dataDir : null,
    give(given) {
      environment = { ...given, ...clock?.environment }
    },
    server() {
      const server = servers.at(-1)
      if (server === undefined) throw new Error('it was not started yet')
      return server
    },
    async start() {
      servers.push(await installation.start(environment, startsWithinMs))
    },
    output: () => servers.map((server) => server.output()).join('\n'),
    async remove() {
      await Promise.all(servers.map((server) => server.kill9()))
      if (hasOwnMounts) spawnSync('umount', [dataDir])
      await installation.remove()
    },
  }
}

function mountSmall(folder: string): void {
  mkdirSync(folder)
  const options = ['-t', 'tmpfs', '-o', `size=${folderSize},mode=700`]
  const { status, stderr } = spawnSync('mount', [...options, 'tmpfs', folder])
  if (status !== 0) throw new Error(`no small folder: ${String(stderr)}`)
}

/** The place whose process decides about health; null while none does. */
export async function decidingPlace(places: readonly FleetPlace[]): Promise<FleetPlace | null> {
  for (const place of places) {
    const owned = await place
      .server()
      .metric('health_owned')
      .catch(() => 0)
    if (owned === 1) return place
  }
  return null
}

/** Resolves when all answer that they are ready; says which one does not. */
export async function untilAllReady(places: readonly FleetPlace[], withinMs: number): Promise<void> {
  for (const { name, url, server } of places) {
    await waitUntil(`${name} is ready`, () => isReady(url), withinMs).catch(async (error: unknown) => {
      const said = await fetch(`${url}/readyz`).then(
        (response) => response.text(),
        () => 'nothing',
      )
      const isRunning = server().program.isRunning()
      throw new Error(`${name} ${isRunning ? `says ${said}` : 'has ended'}`, { cause: error })
    })
  }
}
