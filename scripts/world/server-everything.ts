import { join } from 'node:path'

import { startChild } from './child-process.ts'
import { findFreePort } from './free-port.ts'
import { waitUntil } from './wait-until.ts'

/** The reference tool server of the protocol's authors. */
export interface ServerEverything {
  readonly url: string
  stop(): Promise<void>
}

const program = join(
  import.meta.dir,
  '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
)

export async function startServerEverything(transport: 'streamableHttp' | 'sse'): Promise<ServerEverything> {
  const port = await findFreePort()
  const child = startChild(['env', `PORT=${port}`, process.execPath, program, transport])
  const origin = `http://127.0.0.1:${port}`
  await waitUntil('server-everything listens', () => isListening(origin), 30_000)
  return { url: `${origin}/${transport === 'sse' ? 'sse' : 'mcp'}`, stop: () => child.stop() }
}

/** Any answer will do. */
async function isListening(origin: string): Promise<boolean> {
  const response = await fetch(origin).catch(() => null)
  await response?.body?.cancel()
  return response !== null
}
