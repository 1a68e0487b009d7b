import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { startChild } from './child-process.ts'
import { findCommand } from './find-command.ts'
import { findFreePort } from './free-port.ts'
import { waitUntil } from './wait-until.ts'

/** Debian's nginx with the settings that `deploy/nginx/fleet.conf` gives it, before processes of this machine. */
export interface Nginx {
  readonly url: string
  stop(): Promise<void>
}

const fleetPath = join(import.meta.dir, '../../deploy/nginx/fleet.conf')
const temporaryFolders = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']

/** Needs a Debian package nginx. `ports` are those of the processes, in the order of the addresses that the file names. */
export async function startFleetNginx(ports: readonly number[]): Promise<Nginx> {
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-nginx-'))
  const port = await findFreePort()
  const fleet = readFileSync(fleetPath, 'utf8')
    .replace(/172\.31\.77\.1(\d):3000/g, (_, place: string) => `127.0.0.1:${ports[Number(place) - 1]}`)
    .replace('listen 3000;', `listen 127.0.0.1:${port};`)
  const settings = [
    ...(process.getuid?.() === 0 ? ['user root;'] : []),
    'daemon off;',
    // One process, which ends with whoever started it.
    'master_process off;',
    `pid ${folder}/pid;`,
    `error_log ${folder}/error.log;`,
    'events { worker_connections 1024; }',
    'http {',
    'access_log off;',
    ...temporaryFolders.map((name) => `${name}_temp_path ${folder}/${name};`),
    fleet,
    '}',
  ]
  writeFileSync(join(folder, 'nginx.conf'), settings.join('\n'))
  const command = findCommand('nginx') ?? 'nginx'
  const child = startChild([command, '-c', join(folder, 'nginx.conf'), '-e', join(folder, 'error.log')])
  const url = `http://127.0.0.1:${port}`
  const stop = async (): Promise<void> => {
    await child.stop()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await waitUntil('nginx listens', () => {
      if (!child.isRunning())
        throw new Error(`nginx ended: ${readFileSync(join(folder, 'error.log'), 'utf8')}`)
      return fetch(url).then(
        () => true,
        () => false,
      )
    })
  } catch (error) {
    await stop()
    throw error
  }
  return { url, stop }
}
