import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { type RunningServer, startOnPort } from './running-server.ts'

/** A reverse proxy that counts requests by their path, where the key stands, and refuses above a limit. */
export async function startHaproxy(
  folder: string,
  node: RunningServer,
  threads: number,
): Promise<RunningServer> {
  mkdirSync(folder, { recursive: true })
  return startOnPort((port) => {
    const path = join(folder, 'haproxy.cfg')
    writeFileSync(path, configOf(port, node.port, threads))
    return ['haproxy', '-db', '-f', path]
  })
}

const configOf = (port: number, nodePort: number, threads: number): string => `
global
  nbthread ${threads}
  maxconn 4096
defaults
  mode http
  timeout connect 5s
  timeout client 300s
  timeout server 300s
  http-reuse always
frontend rpc
  bind 127.0.0.1:${port}
  stick-table type string len 128 size 100k expire 2m store http_req_rate(60s)
  http-request track-sc0 path
  http-request deny deny_status 429 if { sc_http_req_rate(0) gt 1000000000 }
  default_backend node
backend node
  http-request set-path /
  server node 127.0.0.1:${nodePort}
`
