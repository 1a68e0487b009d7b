import { waitUntil } from '../world/wait-until.ts'

export interface DemoServer {
  readonly url: string
  /** What `GET /health/{serviceId}` says now. */
  health(serviceId: string): Promise<{ decision: string; avgBlocksLatency: number; liveVerifiers: number }>
  stop(): Promise<void>
}

const readyWithinMs = 30_000

/** The server itself, as `npm start` runs it, on a data folder of its own. */
export async function startServer(options: {
  port: number
  dataDir: string
  file: string
  environment?: Readonly<Record<string, string>>
}): Promise<DemoServer> {
  const url = `http://127.0.0.1:${options.port}`
  const server = Bun.spawn(['sh', 'scripts/bun.sh', 'server/main.ts'], {
    env: {
      PATH: process.env.PATH ?? '',
      GATEHOUSE_PORT: String(options.port),
      GATEHOUSE_DATA_DIR: options.dataDir,
      GATEHOUSE_FILE: options.file,
      GATEHOUSE_ALLOW_PRIVATE: '127.0.0.0/8',
      GATEHOUSE_LOG_LEVEL: 'error',
      ...options.environment,
    },
    stdout: 'ignore',
    stderr: 'inherit',
  })
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await waitUntil('the server is ready', isReady, readyWithinMs)
  return {
    url,
    async health(serviceId) {
      const response = await fetch(`${url}/health/${serviceId}`)
      const { result } = (await response.json()) as { result: Awaited<ReturnType<DemoServer['health']>> }
      return result
    },
    async stop() {
      server.kill('SIGTERM')
      await server.exited
    },
  }
}
