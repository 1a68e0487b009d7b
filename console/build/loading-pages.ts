import type { Rollup } from 'vite'

type ModuleGraph = Pick<Rollup.PluginContext, 'getModuleInfo'>

const router = /\/console\/router\.ts$/

/**
 * Tells whether at least so many pages need a module to be opened, and not only for a dialog that somebody opens on them.
 * Pages that the router loads as one file count as one, and so does the script that starts the console.
 */
export function isLoadedByPages(id: string, graph: ModuleGraph, least: number): boolean {
  const seen = new Set([id])
  let pages = 0
  // A set is walked through to its end, with what is added on the way.
  for (const next of seen) {
    const module = graph.getModuleInfo(next)
    if (module === null) continue
    if (module.isEntry || module.dynamicImporters.some((importer) => router.test(importer))) pages += 1
    if (pages >= least) return true
    for (const importer of module.importers) seen.add(importer)
  }
  return false
}
