import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { batchAnswer, largeAnswer, smallAnswer } from './answers.ts'
import { type RunningServer, startOnPort } from './running-server.ts'

export type NodeKind = 'small' | 'large' | 'batches'

/** The nodes behind every proxy, by what they answer. */
export type Nodes = Readonly<Record<NodeKind, RunningServer>>

export async function startNodes(folder: string): Promise<Nodes> {
  const start = (name: string, answer: string) =>
    startNginx(join(folder, name), (port, home) => {
      writeFileSync(join(home, 'answer'), answer)
      return `
  open_file_cache max=10;
  server {
    listen 127.0.0.1:${port};
    root ${home};
    location / {
      default_type application/json;
      rewrite .* /answer break;
      # A file is not there to be posted to; its content is the answer all the same.
      error_page 405 =200 /answer;
    }
  }`
    })
  return {
    small: await startNginx(
      join(folder, 'small'),
      (port) => `
  server {
    listen 127.0.0.1:${port};
    default_type application/json;
    return 200 '${smallAnswer}';
  }`,
    ),
    large: await start('large', largeAnswer),
    batches: await start('batches', batchAnswer),
  }
}

/** A plain reverse proxy: no key, no limit, no count. */
export const startNginxProxy = (folder: string, node: RunningServer): Promise<RunningServer> =>
  startNginx(
    folder,
    (port) => `
  upstream node {
    server 127.0.0.1:${node.port};
    keepalive 128;
    keepalive_requests 1000000000;
  }
  server {
    listen 127.0.0.1:${port};
    location / {
      proxy_pass http://node/;
      proxy_http_version 1.1;
      proxy_set_header connection "";
      proxy_buffers 16 16k;
    }
  }`,
  )

async function startNginx(
  folder: string,
  serversOf: (port: number, folder: string) => string,
): Promise<RunningServer> {
  mkdirSync(folder, { recursive: true })
  return startOnPort((port) => {
    const path = join(folder, 'nginx.conf')
    writeFileSync(path, configOf(serversOf(port, folder)))
    return ['nginx', '-p', folder, '-e', 'error.log', '-c', path]
  })
}

/** One process: a second one would not be ended with the first. */
const configOf = (servers: string): string => `
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
