import type { StoreAddress } from './store-address.ts'
import { StoreLost, StoreRefused } from './store-failure.ts'

/** What a server says of itself. */
export interface ServerState {
  /** The run of its process, within which nothing gets lost. */
  readonly runId: string
  /** What should be set otherwise; null when nothing. */
  readonly warning: string | null
}

/** Reads the answer to INFO. Throws StoreLost when nothing can be counted in such a server. */
export function readServerState(info: unknown, { kind }: StoreAddress): ServerState {
  const fields = fieldsIn(typeof info === 'string' ? info : '')
  const runId = fields.get('run_id')
  if (runId === undefined)
    throw new StoreRefused('it does not tell its run id: an incompatible server or proxy')
  if (kind === 'single' && fields.get('cluster_enabled') === '1')
    throw new StoreRefused(
      'it is a node of a cluster: REDIS_URL must begin with redis+cluster:// or rediss+cluster://',
    )
  if (fields.get('role') !== 'master') {
    const sentence = 'it is a replica, which can only be read: REDIS_URL must name the primary'
    // Of several, another one is just taking over.
    throw kind === 'single' ? new StoreRefused(sentence) : new StoreLost(sentence)
  }
  return { runId, warning: evictionWarning(fields) }
}

/** Without a bound of its memory nothing is ever evicted. */
function evictionWarning(fields: ReadonlyMap<string, string>): string | null {
  const policy = fields.get('maxmemory_policy') ?? 'noeviction'
  if (policy === 'noeviction' || Number(fields.get('maxmemory') ?? 0) === 0) return null
  return `it forgets counts when its memory is full (maxmemory-policy ${policy}): set maxmemory-policy noeviction`
}

const fieldsIn = (info: string): Map<string, string> =>
  new Map(
    info.split(/\r?\n/).flatMap((line): [string, string][] => {
      const [, name, value] = /^(\w+):(.*)$/.exec(line) ?? []
      return name === undefined || value === undefined ? [] : [[name, value]]
    }),
  )
