import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import lock from '../../package-lock.json' with { type: 'json' }

interface LockedPackage {
  readonly version?: string
  readonly license?: string
  readonly integrity?: string
  readonly dev?: boolean
  readonly optional?: boolean
  readonly devOptional?: boolean
}

interface Part extends LockedPackage {
  readonly name: string
  readonly path: string
}

/**
 * Writes the bill of materials (CycloneDX), and the licences of all that a release contains of others. `native` are the
 * names of packages for its platform. `npm sbom` is not used: with `--omit dev` it forgets packages that others of
 * development need, too, among them vue.
 */
export async function listThirdParties(folder: string, native: readonly string[]): Promise<void> {
  const parts = Object.entries(lock.packages as Record<string, LockedPackage>)
    .filter(([path]) => path !== '')
    .map(([path, locked]): Part => ({
      ...locked,
      path,
      name: path.slice(path.lastIndexOf(root) + root.length),
    }))
    .filter((part) => native.includes(part.name) || isShipped(part))
  await Bun.write(join(folder, 'sbom.cdx.json'), `${JSON.stringify(billOf(parts), null, 2)}\n`)
  await Bun.write(join(folder, 'THIRD-PARTY-LICENSES.txt'), `${parts.map(licenceOf).join(separator)}\n`)
}

const root = 'node_modules/'
const separator = `\n\n${'-'.repeat(80)}\n\n`

const isShipped = ({ dev, optional, devOptional }: LockedPackage): boolean =>
  dev !== true && optional !== true && devOptional !== true

/** Without a time or a serial number, so that the same commit gives the same bytes. */
const billOf = (parts: readonly Part[]) => ({
  $schema: 'http://cyclonedx.org/schema/bom-1.6.schema.json',
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: {
    component: { type: 'application', 'bom-ref': lock.name, name: lock.name, version: lock.version },
  },
  components: parts.map(({ name, path, version = '', license, integrity }) => ({
    type: 'library',
    'bom-ref': path,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    ...(license === undefined ? {} : { licenses: [{ expression: license }] }),
    ...(integrity?.startsWith('sha512-') === true ? { hashes: [hashOf(integrity)] } : {}),
  })),
})

const hashOf = (integrity: string) => ({
  alg: 'SHA-512',
  content: Buffer.from(integrity.slice('sha512-'.length), 'base64').toString('hex'),
})

const licenceOf = ({ name, path, version = '', license }: Part): string =>
  [`${name} ${version} (${license ?? 'see its text'})`, ...textsOf(path)].join('\n\n')

/** None for packages of another platform than this one: those have the licence of what they belong to. */
function textsOf(path: string): string[] {
  try {
    return readdirSync(path)
      .filter((file) => /^(licen[cs]e|notice|copying)(\.|-|$)/i.test(file))
      .map((file) => readFileSync(join(path, file), 'utf8').trim())
  } catch {
    return []
  }
}
