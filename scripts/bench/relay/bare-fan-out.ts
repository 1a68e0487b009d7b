import { join } from 'node:path'

import { type RunningServer, startOnPort } from './running-server.ts'

const program = join(import.meta.dir, '../../..', 'scripts/bench/relay/bare-fan-out-process.ts')

/** The least that serving one stream to many can be on this runtime, as a process of its own: a floor to compare with. */
export const startBareFanOut = (nodePort: number): Promise<RunningServer> =>
  startOnPort((port) => [process.execPath, '--no-env-file', program, String(port), String(nodePort)])
