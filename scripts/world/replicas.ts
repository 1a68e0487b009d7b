import { randomBytes } from 'node:crypto'

import { createTestInstallation, type GatehouseProcess, type TestInstallation } from './gatehouse-process.ts'

/** Several processes of one installation: they share PostgreSQL, Redis (if there is one), the master key and the declarative file. */
export interface Replicas {
  readonly servers: readonly GatehouseProcess[]
  /** Starts one more, and resolves when it is ready. */
  add(): Promise<GatehouseProcess>
  /** Starts one again, at its old address, after it has ended. */
  restart(index: number): Promise<void>
  /** Kills whatever still runs, and removes the folders. */
  remove(): Promise<void>
}

interface ReplicasOptions {
  readonly count: number
  readonly file: object
  readonly databaseUrl: string
  /** Null: they share PostgreSQL alone. */
  readonly redisUrl: string | null
  readonly environment?: Record<string, string>
  /** What only one of them has, by its number. */
  readonly environmentOf?: (replica: number) => Record<string, string>
}

export async function startReplicas(options: ReplicasOptions): Promise<Replicas> {
  const { count, file, databaseUrl, redisUrl, environmentOf = () => ({}) } = options
  const environment = {
    DATABASE_URL: databaseUrl,
    ...(redisUrl !== null && { REDIS_URL: redisUrl }),
    GATEHOUSE_MASTER_KEY: randomBytes(32).toString('base64'),
    ...options.environment,
  }
  const installations: TestInstallation[] = []
  const servers: GatehouseProcess[] = []
  const remove = async (): Promise<void> => {
    await Promise.all(installations.map((installation) => installation.remove()))
  }
  async function add(): Promise<GatehouseProcess> {
    const installation = await createTestInstallation(file)
    const replica = installations.push(installation) - 1
    const server = await installation.start({ ...environment, ...environmentOf(replica) })
    servers.push(server)
    return server
  }
  try {
    for (let replica = 0; replica < count; replica++) await add()
  } catch (error) {
    await remove()
    throw error
  }
  return {
    servers,
    add,
    async restart(index) {
      const installation = installations[index]
      if (installation === undefined) throw new RangeError(`there is no replica ${index}`)
      servers[index] = await installation.start({ ...environment, ...environmentOf(index) })
    },
    remove,
  }
}
