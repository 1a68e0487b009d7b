import { basename } from 'node:path/posix'

import { allowedTargets, positionOf } from './areas.ts'
import { isTestFile, type Rule } from './rule.ts'
import type { Import, SourceFile } from './source-file.ts'

interface LocalImport extends Import {
  target: string
}

/** Makes a rule out of a question about one edge between two files of the tree. */
function edgeRule(
  name: string,
  reason: string,
  isBroken: (from: string, edge: LocalImport) => boolean,
): Rule {
  return {
    name,
    reason,
    find: (files) =>
      files.flatMap((file) =>
        localImports(file)
          .filter((edge) => isBroken(file.path, edge))
          .map((edge) => ({ file: file.path, line: edge.line, what: `imports ${edge.target}` })),
      ),
  }
}

const localImports = (file: SourceFile): LocalImport[] =>
  file.imports.filter((edge): edge is LocalImport => edge.target !== null)

/** Makes a rule out of a question about one import of a package. */
function packageRule(name: string, reason: string, isBroken: (from: string, edge: Import) => boolean): Rule {
  return {
    name,
    reason,
    find: (files) =>
      files.flatMap((file) =>
        file.imports
          .filter((edge) => edge.target === null && isBroken(file.path, edge))
          .map((edge) => ({ file: file.path, line: edge.line, what: `imports ${edge.specifier}` })),
      ),
  }
}

const layers = edgeRule(
  'layers',
  'shared <- platform, trpc/init <- domains <- compose/router <- compose <- main; http/ mounts what compose hands it, and no domain imports it, not even a type',
  (from, edge) => {
    const importer = positionOf(from)
    const imported = positionOf(edge.target)
    if (importer.area === 'workshop' || edge.target === 'package.json') return false
    if (imported.area === 'workshop') return true
    if (!allowedTargets[importer.area].includes(imported.area)) return true
    return importer.area === 'main' && imported.area === 'domain' && importer.domain !== imported.domain
  },
)

const domainsByType = edgeRule(
  'domains-by-type',
  'a domain knows another one only by `import type` from its front door; they are joined in compose.ts',
  (from, edge) => {
    const importer = positionOf(from)
    const imported = positionOf(edge.target)
    if (importer.area !== 'domain' || imported.area !== 'domain') return false
    if (importer.domain === imported.domain) return false
    return !edge.typeOnly || edge.target !== `server/${imported.domain}/${imported.domain}.ts`
  },
)

const privateStores = edgeRule(
  'private-stores',
  'store.ts is private to its domain, and to compose.ts which hands it out',
  (from, edge) => {
    if (basename(edge.target) !== 'store.ts') return false
    const importer = positionOf(from)
    if (importer.area === 'workshop' || importer.area === 'compose') return false
    return importer.domain !== positionOf(edge.target).domain
  },
)

const onlyTheRouterType = edgeRule(
  'only-the-router-type',
  'clients of the server know nothing of it but the type AppRouter',
  (from, edge) => {
    const isClient = ['console', 'command-line'].includes(positionOf(from).area)
    if (!isClient || positionOf(edge.target).area !== 'router') return false
    return !edge.typeOnly || edge.names.some((name) => name !== 'AppRouter')
  },
)

const scriptsWithoutTests = edgeRule(
  'scripts-without-tests',
  'tests use scripts/world/, so scripts use nothing of tests/; only the written decisions are made from the requirements',
  (from, edge) =>
    from.startsWith('scripts/') &&
    !from.endsWith('.test.ts') &&
    edge.target.startsWith('tests/') &&
    !edge.target.startsWith('tests/requirements'),
)

const kitStandsAlone = edgeRule(
  'kit-stands-alone',
  'console/ui/ is the kit: it knows neither the router, nor stores, nor any page',
  (from, edge) =>
    from.startsWith('console/ui/') &&
    !edge.target.startsWith('console/ui/') &&
    !edge.target.startsWith('shared/') &&
    !(isTestFile(from) && edge.target.startsWith('tests/support/')),
)

const kitPackages = packageRule(
  'kit-packages',
  'pages use the kit in console/ui/, which alone knows reka-ui; the kit knows neither router nor stores',
  (from, { specifier }) => {
    if (!from.startsWith('console/')) return false
    if (!from.startsWith('console/ui/')) return packageName(specifier) === 'reka-ui'
    return ['vue-router', 'pinia', '@pinia/colada', '@trpc/client'].includes(packageName(specifier))
  },
)

const lazyPartsComeBack = packageRule(
  'lazy-parts-come-back',
  'what is loaded later is a `lazyPart` of console/lazy-part.ts, which tries again: Vue by itself never does once a connection was lost',
  (from, { specifier, names }) =>
    from !== 'console/lazy-part.ts' && specifier === 'vue' && names.includes('defineAsyncComponent'),
)

const sharedIsPlain = packageRule(
  'shared-is-plain',
  'shared/ is read by browser and server alike: it imports zod and itself only',
  (from, { specifier }) => positionOf(from).area === 'shared' && packageName(specifier) !== 'zod',
)

/** `@scope/name` or `name` of a specifier such as `zod/mini`. */
export function packageName(specifier: string): string {
  const parts = specifier.split('/')
  return specifier.startsWith('@') ? parts.slice(0, 2).join('/') : (parts[0] ?? specifier)
}

export const importRules: readonly Rule[] = [
  layers,
  domainsByType,
  privateStores,
  onlyTheRouterType,
  scriptsWithoutTests,
  kitStandsAlone,
  kitPackages,
  lazyPartsComeBack,
  sharedIsPlain,
]
