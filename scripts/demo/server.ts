import { type OperatorClient, operatorClient } from '../world/operator-client.ts'
import { waitUntil } from '../world/wait-until.ts'

export interface DemoServer {
  readonly url: string
  /** Makes whoever opens it the operator; null where the server printed none. */
  setupLink(): string | null
  /** What an operator may do at the command line. */
  readonly operator: OperatorClient
  /** What `GET /health/{serviceId}` says now. */
  health(serviceId: string): Promise<{ decision: string; avgBlocksLatency: number; liveVerifiers: number }>
  stop(): Promise<void>
}

const readyWithinMs = 30_000

/** The server itself, as `npm start` runs it, on a data folder of its own. */
export async function startDemoServer(options: {
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
    stdout: 'pipe',
    stderr: 'inherit',
  })
  let output = ''
  void server.stdout.pipeTo(
    new WritableStream({ write: (chunk) => void (output += new TextDecoder().decode(chunk)) }),
  )
  const isReady = () =>
    fetch(`${url}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  await waitUntil('the server is ready', isReady, readyWithinMs)
  return {
    url,
    operator: operatorClient(options.dataDir),
    setupLink: () => /http:\S+#setup=\S+/.exec(output)?.[0] ?? null,
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
