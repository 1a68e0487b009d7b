import { GatehouseFile } from '../../shared/gatehouse-file.ts'
import type { Plan } from '../../shared/plans.ts'
import { countPlans } from '../accounts/store.ts'
import { createChains } from '../chains/chains.ts'
import type { StoredChains } from '../chains/stored-chains.ts'
import type { FileProblem } from '../config/declarative-file.ts'
import type { FileContent } from '../config/watched-file.ts'
import type { Endpoints } from '../endpoints/endpoints.ts'
import type { Health } from '../health/health.ts'
import type { KeySync } from '../keys/replicas/key-sync.ts'
import type { Database } from '../platform/database.ts'
import { readPlans } from '../plans/stored-plans.ts'
import type { Registry } from '../registry/registry.ts'
import { type OpenedAlerts, alertProblems } from './alerts.ts'
import { argumentSchemaProblems } from '../tool-policies/tool-policies.ts'

/** The content of the installation's file that was applied last. */
export interface ActiveFile {
  file: GatehouseFile
  chains: Extract<ReturnType<typeof createChains>, { ok: true }>['chains']
  /** Called whenever another content was applied. */
  readonly listeners: Set<() => void>
}

export function createActiveFile(): ActiveFile {
  const created = createChains()
  if (!created.ok) throw new TypeError('the built-in chains have mistakes')
  return { file: GatehouseFile.parse({}), chains: created.chains, listeners: new Set() }
}

/** What the file configures. */
interface FileParts {
  readonly health: Health
  readonly endpoints: Endpoints
  readonly registry: Registry
  readonly alerts: OpenedAlerts['alerts']
  readonly database: Database
  readonly storedChains: Pick<StoredChains, 'all'>
  readonly keySync: Pick<KeySync, 'readAgain'>
  /** Whether the installation has a store that its processes share. */
  readonly hasRedis: boolean
}

const placeOfSchema = (place: number) => ['toolPolicies', 'installation', 'arguments', place, 'schema']

/** Checks the file's references, and applies it when there is no problem. Resolves to the problems. */
export async function applyFile(
  content: GatehouseFile,
  problemAt: FileContent['problemAt'],
  activeFile: ActiveFile,
  { health, endpoints, registry, alerts, database, storedChains, keySync, hasRedis }: FileParts,
): Promise<FileProblem[]> {
  if (content.cache.store === 'redis' && !hasRedis) {
    return [problemAt(['cache', 'store'], 'needs the environment variable REDIS_URL, which is not set')]
  }
  const created = createChains(content.chains, storedChains.all())
  if (!created.ok) return created.issues.map(({ path, message }) => problemAt(path.split('.'), message))
  const { chains } = created
  const { services, problems } = await health.checkFile(content.services, chains.get)
  if (problems.length > 0) {
    return problems.map(({ index, field, message }) => problemAt(['services', index, field], message))
  }
  const wrong = await endpoints.checkFile(content.endpoints, {
    findChain: chains.get,
    findService: (id) =>
      services.find((service) => service.id === id) ?? health.services.access.findRegistered(id, chains.get),
  })
  if (wrong.length > 0) return wrong.map(({ path, message }) => problemAt(path, message))
  const known = new Set(services.map(({ id }) => id))
  const unknown = unknownShownService(
    content,
    (id) => known.has(id) || health.services.access.findRegistered(id, chains.get) !== undefined,
  )
  if (unknown !== null) return [problemAt(unknown, 'no service of this id is in the file or registered')]
  const mistakes = argumentSchemaProblems(content.toolPolicies.installation)
  if (mistakes.length > 0)
    return mistakes.map(({ place, message }) => problemAt(placeOfSchema(place), message))
  const unalerted = await alertProblems(content, problemAt, alerts)
  if (unalerted.length > 0) return unalerted
  const missing = missingPlan(content, await countPlans(database), await database.run(readPlans))
  if (missing !== null) return [problemAt(missing.path, missing.message)]
  const hasOtherPlans = !Bun.deepEquals(activeFile.file.plans, content.plans)
  activeFile.file = content
  activeFile.chains = chains
  health.applyFile(services, chains.all())
  endpoints.applyFile(content)
  registry.applyFile(content.registry)
  for (const told of activeFile.listeners) told()
  // Keys are in memory with what their plans hold them to.
  if (hasOtherPlans) await keySync.readAgain()
  return []
}

/** Returns what is wrong where a plan is not there that new accounts are to get, or that accounts have; null: nothing. */
function missingPlan(
  { plans, signUp }: GatehouseFile,
  inUse: ReadonlyMap<string, number>,
  stored: readonly Plan[],
): { path: string[]; message: string } | null {
  const names = new Set([...plans, ...stored].map(({ name }) => name))
  if (signUp.plan !== undefined && !names.has(signUp.plan))
    return {
      path: ['signUp', 'plan'],
      message: 'no plan of this name is in the section plans, nor made by an operator',
    }
  for (const [name, count] of inUse)
    if (!names.has(name)) {
      const message = `the plan ${name} is missing, which ${count} accounts have: give them another one first (gatehouse accounts plan)`
      return { path: ['plans'], message }
    }
  return null
}

/** Returns the place of a service of a status page that does not exist; null for none. */
function unknownShownService(
  { status }: GatehouseFile,
  exists: (id: string) => boolean,
): (string | number)[] | null {
  for (const [page, { groups }] of status.entries())
    for (const [group, { services }] of groups.entries())
      for (const [place, { id }] of services.entries())
        if (!exists(id)) return ['status', page, 'groups', group, 'services', place, 'id']
  return null
}
