/**
 * `npm run release`: builds what people install who have no clone, package registry or compiler: an archive with the
 * runtime, PostgreSQL, the bundled server and the built console. Its launcher is `gatehouse`.
 *
 *  1. `release/bundle.ts` bundles server, command line and verifier, and builds the console.
 *  2. `release/native-parts.ts` adds the programs of one platform, as the lock file has them.
 *  3. `release/third-parties.ts` lists all that others wrote, with its licences.
 *  4. `release/archive.ts` packs the folder, so that the same commit gives the same bytes, and writes its checksum.
 */
import { cpSync, existsSync, mkdirSync, rmSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { errorMessage } from '../server/platform/error-message.ts'
import manifest from '../package.json' with { type: 'json' }
import { print } from './print.ts'
import { commitDate, pack } from './release/archive.ts'
import { bundleConsole, bundleServer } from './release/bundle.ts'
import { addPostgres, addRuntime, isPlatform, platforms, thisPlatform } from './release/native-parts.ts'
import { listThirdParties } from './release/third-parties.ts'
import { readScriptArguments } from './script-arguments.ts'

const help = `Builds a release of Gatehouse ${manifest.version}.

Usage: npm run release -- [options]

  --platform NAME     ${platforms.join(', ')}, or all; this machine's (${thisPlatform}) unless given
  --out DIR           where archives and their checksums are written; dist unless given
  --folder DIR        writes the files of the release into this new folder, in place of an archive
  --without-postgres  leaves out PostgreSQL, for installations that have DATABASE_URL
  --help              prints this
`

/** What the product reads or shows beside its programs. */
const files = [
  'server/migrations',
  'server/registry/own-snapshot',
  'deploy',
  'bunfig.toml',
  'CHANGELOG.md',
  'LICENSE',
]

/** What tables looked like after each migration is for those who write the next one. */
const isRead = (path: string): boolean => !path.endsWith('_snapshot.json')

const readOptions = () =>
  readScriptArguments(
    { name: 'release', help },
    {
      options: {
        platform: { type: 'string', default: thisPlatform },
        out: { type: 'string', default: 'dist' },
        folder: { type: 'string' },
        'without-postgres': { type: 'boolean', default: false },
      },
    },
  ).values

type Options = ReturnType<typeof readOptions>

async function writeFolder(folder: string, platform: string, options: Options): Promise<void> {
  mkdirSync(folder, { recursive: true, mode: 0o755 })
  await bundleServer(folder)
  await bundleConsole(folder)
  for (const file of files) cpSync(file, join(folder, file), { recursive: true, filter: isRead })
  cpSync('scripts/release/README.md', join(folder, 'README.md'))
  cpSync('scripts/release/gatehouse.sh', join(folder, 'gatehouse'))
  const { name, version, license, type } = manifest
  await Bun.write(
    join(folder, 'package.json'),
    `${JSON.stringify({ name, version, license, type }, null, 2)}\n`,
  )
  const native = [await addRuntime(folder, platform)]
  if (!options['without-postgres']) native.push(await addPostgres(folder, platform))
  await listThirdParties(folder, native)
}

async function writeArchive(platform: string, options: Options): Promise<void> {
  const name = `gatehouse-${manifest.version}-${platform}`
  const folder = join(options.out, name)
  rmSync(folder, { recursive: true, force: true })
  await writeFolder(folder, platform, options)
  const { path, bytes, sha256 } = await pack(folder, await commitDate())
  rmSync(folder, { recursive: true })
  print(`${path}  ${(bytes / 1e6).toFixed(1)} MB  sha256 ${sha256}`)
}

async function release(options: Options): Promise<void> {
  const { folder } = options
  const wanted = options.platform === 'all' ? platforms : [options.platform]
  const unknown = wanted.find((name) => !isPlatform(name))
  if (unknown !== undefined) {
    throw new Error(`--platform ${unknown} is unknown; there are ${platforms.join(', ')}, and all`)
  }
  if (folder === undefined) {
    for (const platform of wanted) await writeArchive(platform, options)
    return
  }
  const [platform = thisPlatform, ...others] = wanted
  if (others.length > 0) throw new Error('--folder takes one platform')
  if (existsSync(folder)) throw new Error(`${folder} exists; --folder takes a new one`)
  await writeFolder(resolve(folder), platform, options)
  print(`Wrote ${folder}`)
}

try {
  await release(readOptions())
} catch (error) {
  process.stderr.write(`release: ${errorMessage(error)}\n`)
  process.exit(1)
}
