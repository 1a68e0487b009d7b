import { isTestFile } from './rule.ts'

/** Parts of the tree between which imports are ruled. Files of `server/<name>/` not listed here belong to a domain. */
export type Area =
  | 'shared'
  | 'platform'
  | 'config'
  | 'http'
  | 'trpc'
  | 'router'
  | 'admin-api'
  | 'keys'
  | 'domain'
  | 'command-line'
  | 'compose'
  | 'main'
  | 'console'
  | 'workshop'

/** A file's area, and its domain where it has one: sub-folders belong to the domain of their top folder. */
export interface Position {
  area: Area
  domain: string | null
}

const exactFiles: Record<string, Area> = {
  'server/main.ts': 'main',
  'server/verifier/main.ts': 'main',
  'server/compose.ts': 'compose',
  'server/compose/router.ts': 'router',
}

const folders: [prefix: string, area: Area][] = [
  ['shared/', 'shared'],
  ['server/platform/', 'platform'],
  ['server/config/', 'config'],
  // Mounts what the domains hand it. What they need of HTTP themselves is in server/platform/http/.
  ['server/http/', 'http'],
  // What API keys and query keys have in common: both domains use it, and it knows neither.
  ['server/keys/', 'keys'],
  ['server/trpc/', 'trpc'],
  // REST before the procedures of the router: it calls them all, and knows domains by what they answer.
  ['server/admin-api/', 'admin-api'],
  ['server/command-line/', 'command-line'],
  ['server/compose/', 'compose'],
  // Starts several processes in place of one, and joins what they share.
  ['server/workers/', 'compose'],
  // Reads and writes whole databases on an operator's command; knows no domain.
  ['server/backup/', 'command-line'],
  ['console/', 'console'],
]

/** Tests and scripts (`workshop`) may import everything; nothing that is shipped imports them. */
export function positionOf(path: string): Position {
  if (isTestFile(path)) return { area: 'workshop', domain: null }
  const folder = folders.find(([prefix]) => path.startsWith(prefix))?.[1]
  const exact = exactFiles[path]
  const domain = folder === undefined ? (/^server\/([^/]+)\//.exec(path)?.[1] ?? null) : null
  return { area: exact ?? folder ?? (domain === null ? 'workshop' : 'domain'), domain }
}

/** Which areas a file may import from. What is missing here is forbidden, type-only imports included. */
export const allowedTargets: Record<Exclude<Area, 'workshop'>, readonly Area[]> = {
  shared: ['shared'],
  platform: ['platform', 'shared'],
  config: ['config', 'platform', 'shared'],
  http: ['http', 'platform', 'shared'],
  trpc: ['trpc', 'keys', 'platform', 'shared'],
  keys: ['keys', 'platform', 'shared'],
  domain: ['domain', 'keys', 'trpc', 'platform', 'shared'],
  router: ['router', 'domain', 'trpc', 'platform', 'shared'],
  'admin-api': ['admin-api', 'router', 'domain', 'trpc', 'platform', 'shared'],
  'command-line': ['command-line', 'router', 'config', 'platform', 'shared'],
  compose: [
    'compose',
    'router',
    'admin-api',
    'domain',
    'keys',
    'trpc',
    'http',
    'config',
    'platform',
    'shared',
    'command-line',
  ],
  main: ['compose', 'domain', 'config', 'platform', 'shared', 'command-line'],
  console: ['console', 'router', 'shared'],
}
