import { readFileSync } from 'node:fs'

import { readConfig } from './config.ts'
import type { ConfigReading } from './config.ts'

/*
 * The only place that touches the process environment.
 */

/** Proxy variables would send every outbound call, loopback included, through a machine nobody chose for it. */
const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']

export const environment = (): Readonly<Record<string, string | undefined>> => ({ ...process.env })

export function readEnvironment(): ConfigReading {
  for (const name of proxyVariables) delete process.env[name]
  return readConfig(process.env, (path) => readFileSync(path, 'utf8'))
}
