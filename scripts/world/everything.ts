import { join } from 'node:path'

import { startChild } from './child-process.ts'
import { findFreePort } from './free-port.ts'
import { waitUntil } from './wait-until.ts'

const program = join(
  import.meta.dir,
  '../../node_modules/@modelcontextprotocol/server-everything/dist/index.js',
)

/** The tool server with which the protocol's authors show everything it can do. */
export interface EverythingServer {
  /** Where clients connect. */
  readonly url: string
  stop(): Promise<void>
}

/** `http`: Streamable HTTP with 2025 sessions; `sse`: HTTP with SSE. */
export async function startEverything(transport: 'http' | 'sse'): Promise<EverythingServer> {
  const port = await findFreePort()
  const kind = transport === 'http' ? 'streamableHttp' : 'sse'
  const child = startChild(['env', `PORT=${port}`, process.execPath, program, kind])
  const url = `http://127.0.0.1:${port}/${transport === 'http' ? 'mcp' : 'sse'}`
  try {
    await waitUntil('the everything server listens', () => isListening(port), 30_000)
  } catch (error) {
    await child.stop()
    throw error
  }
  return { url, stop: child.stop }
}

async function isListening(port: number): Promise<boolean> {
  try {
    await fetch(`http://127.0.0.1:${port}/`)
    return true
  } catch {
    return false
  }
}
