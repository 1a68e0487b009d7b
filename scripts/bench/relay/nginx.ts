import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { batchAnswer, largeAnswer, smallAnswer } from './answers.ts'
import { type RunningServer, startOnPort } from './running-server.ts'

export type NodeKind = 'small' | 'large' | 'batches'

/** The nodes behind every proxy, by what they answer. */
export type Nodes = Readonly<Record<NodeKind, RunningServer>>

/** Each answers under the id that it was asked with. */
export async function startNginxNodes(folder: string): Promise<Nodes> {
  const start = (name: string, answer: readonly string[]) =>
    startNginx(join(folder, name), (port, home) => nodeOf(port, home, answer))
  return {
    small: await start('small', smallAnswer),
    large: await start('large', largeAnswer),
    batches: await start('batches', batchAnswer),
  }
}

/** Only what is passed on has its body read: so the node passes on to itself, with the id in a header. */
const nodeOf = (port: number, home: string, answer: readonly string[]): string => `
  map $request_body $asked { default 0; '~"id":(?<found>[0-9]+)' $found; }
  upstream answers {
    server unix:${home}/answers;
    keepalive 128;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://answers;
      proxy_http_version 1.1;
      proxy_method GET;
      proxy_pass_request_body off;
      proxy_set_header connection "";
      proxy_set_header content-length "";
      proxy_set_header x-id $asked;
      proxy_buffers 16 16k;
    }
  }
  map $http_x_id $id { default $http_x_id; }
  map $http_x_id $base { default 0; '~^(?<start>[0-9]+)[0-9][0-9][0-9][0-9]$' $start; }
  server {
    listen unix:${home}/answers;
    default_type application/json;
    ${answer.map((part, place) => `set $part${place}_ '${part}';`).join('\n    ')}
    return 200 '${answer.map((_, place) => `$part${place}_`).join('')}';
  }`

/** A plain reverse proxy: no key, no limit, no count. */
export const startNginxProxy = (folder: string, node: RunningServer): Promise<RunningServer> =>
  startNginx(folder, (port) => proxyOf(port, node.port))

/** Passes everything on; `steps` are directives that run before or after. */
export const proxyOf = (port: number, nodePort: number, steps = ''): string => `
  upstream node {
    server 127.0.0.1:${nodePort};
    keepalive 128;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      ${steps}
      proxy_pass http://node/;
      proxy_http_version 1.1;
      proxy_set_header connection "";
      proxy_buffers 16 16k;
    }
  }`

export async function startNginx(
  folder: string,
  serversOf: (port: number, folder: string) => string,
  modules: readonly string[] = [],
): Promise<RunningServer> {
  mkdirSync(folder, { recursive: true })
  return startOnPort((port) => {
    const path = join(folder, 'nginx.conf')
    writeFileSync(path, configOf(serversOf(port, folder), modules))
    return ['nginx', '-p', folder, '-e', 'error.log', '-c', path]
  })
}

/** One process: a second one would not be ended with the first. */
const configOf = (servers: string, modules: readonly string[]): string => `
${modules.join('\n')}
daemon off;
master_process off;
pid nginx.pid;
worker_rlimit_nofile 4096;
events { worker_connections 2048; }
http {
  access_log off;
  tcp_nodelay on;
  keepalive_timeout 300s;
  keepalive_requests 1000000000;
  client_body_buffer_size 64k;
  client_body_temp_path body;
  proxy_temp_path proxied;
  fastcgi_temp_path fastcgi;
  uwsgi_temp_path uwsgi;
  scgi_temp_path scgi;
${servers}
}
`
