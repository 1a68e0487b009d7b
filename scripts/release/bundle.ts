import { cpSync, existsSync, mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { build as buildPages, mergeConfig } from 'vite'

import consoleConfig from '../../console/vite.config.ts'
import { bundlePrograms } from './programs.ts'

/** Read by `shared/programs.ts`: what people type differs between a clone and a release. */
const define = { GATEHOUSE_RELEASE: 'true' }

/** Files of the package that the API's reference serves; the server finds them by the package's name. */
const referenceFiles = [
  'package.json',
  'swagger-ui.css',
  'swagger-ui-bundle.js',
  'favicon-32x32.png',
  'LICENSE',
]

/** The programs, and what they read of packages. */
export async function bundleServer(folder: string): Promise<void> {
  await bundlePrograms(folder, define)
  const from = 'node_modules/swagger-ui-dist'
  mkdirSync(join(folder, from), { recursive: true })
  for (const file of referenceFiles) cpSync(join(from, file), join(folder, from, file))
}

export async function bundleConsole(folder: string): Promise<void> {
  const ours = { root: 'console', configFile: false, logLevel: 'warn', define } as const
  // Absolute, because vite takes a relative folder for one below its root.
  const outDir = resolve(folder, 'console/dist')
  await buildPages(mergeConfig(consoleConfig, { ...ours, build: { outDir } }))
  if (!existsSync(join(outDir, 'index.html'))) throw new Error(`the console was not built into ${outDir}`)
}
