import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { findCommand } from '../../world/find-command.ts'
import { proxyOf, startNginx } from './nginx.ts'
import type { RunningServer } from './running-server.ts'

/** What an operator builds who has no relay: nginx that knows keys, holds them to two limits, and counts (`keys.lua`). */
export const startNginxWithLua = (folder: string, node: RunningServer, key: string): Promise<RunningServer> =>
  startNginx(
    folder,
    (port) => `
  lua_package_path '${import.meta.dir}/?.lua;;';
  lua_shared_dict windows 10m;
  lua_shared_dict counts 10m;
  init_by_lua_block { require('keys').add('${key}') }
  ${proxyOf(
    port,
    node.port,
    `access_by_lua_block { require('keys').admit() }
      log_by_lua_block { require('keys').count() }`,
  )}`,
    moduleFiles().map((file) => `load_module ${file};`),
  )

export const isLuaInstalled = (): boolean => moduleFiles().every((file) => existsSync(file))

const moduleFiles = (): string[] => {
  const nginx = findCommand('nginx')
  const built = nginx === null ? '' : Bun.spawnSync([nginx, '-V']).stderr.toString()
  const folder = /--modules-path=(?<folder>\S+)/.exec(built)?.groups?.['folder'] ?? ''
  return ['ndk_http_module', 'ngx_http_lua_module'].map((name) => join(folder, `${name}.so`))
}
