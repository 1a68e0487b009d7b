import { readFileSync } from 'node:fs'

import { type ConfigReading, readConfig } from './config.ts'

// This is the only file that touches the process environment.

/** Bun's fetch obeys these variables, and would send every outbound call through a proxy, loopback included. */
const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy', 'all_proxy']

/** Returns a copy of the environment. */
export const environment = (): Readonly<Record<string, string | undefined>> => ({ ...process.env })

/** Parses the environment of this process, and removes its proxy variables. */
export function readEnvironment(): ConfigReading {
  for (const name of proxyVariables) delete process.env[name]
  return readConfig(process.env, (path) => readFileSync(path, 'utf8'))
}
