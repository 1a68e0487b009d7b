import { fileURLToPath } from 'node:url'

import { startChild } from './child-process.ts'
import { waitUntil } from './wait-until.ts'

/** A tool server that does its caller harm, in a process of its own: the memory it wastes is not counted here. */
export interface HostileToolServer {
  /** What it does is in the path, or in the name of the tool. */
  url(mode: string): string
  stop(): Promise<void>
}

const projectFolder = new URL('../../', import.meta.url)
const program = './scripts/world/hostile-tool-server/main.ts'

export async function startHostileToolServer(): Promise<HostileToolServer> {
  const child = startChild([process.execPath, fileURLToPath(new URL(program, projectFolder))])
  await waitUntil('the hostile tool server listens', () => child.output().includes('\n'))
  const port = child.output().trim()
  return { url: (mode) => `http://127.0.0.1:${port}/${mode}`, stop: () => child.stop() }
}
