import { join } from 'node:path'

import { type RunningServer, startOnPort } from './running-server.ts'

const program = join(import.meta.dir, '../../..', 'scripts/bench/relay/bare-proxy-process.ts')

/** The least that a proxy on this runtime can be, as a process of its own: a floor to compare with. */
export const startBareProxy = (node: RunningServer): Promise<RunningServer> =>
  startOnPort((port) => [process.execPath, '--no-env-file', program, String(port), String(node.port)])
