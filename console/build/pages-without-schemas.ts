import type { Plugin, Rollup } from 'vite'

type Chunk = Pick<Rollup.OutputChunk, 'name' | 'fileName' | 'imports' | 'moduleIds'>

const page = /(?:Page|-pages)$|^index$/
const zod = /\/node_modules\/zod\//

/**
 * Fails a build in which a page loads zod before a form is opened: a sixth of what a page weighs, for which one part of
 * a form is enough that is shared by pages.
 */
export function pagesWithoutSchemas(): Plugin {
  return {
    name: 'pages-without-schemas',
    apply: 'build',
    generateBundle(_options, bundle) {
      const way = wayToZod(Object.values(bundle).filter((file) => file.type === 'chunk'))
      if (way !== null) this.error(`a page loads zod when it is opened: ${way.join(' → ')}`)
    },
  }
}

/** The names of the files by which a page loads zod at once, the page first; null where none does. */
export function wayToZod(chunks: readonly Chunk[]): readonly string[] | null {
  const byFile = new Map(chunks.map((chunk) => [chunk.fileName, chunk]))
  const seen = new Set<string>()
  const ways = chunks.filter(({ name }) => page.test(name)).map((chunk) => [chunk])
  for (let way = ways.pop(); way !== undefined; way = ways.pop()) {
    const last = way.at(-1)
    if (last === undefined || seen.has(last.fileName)) continue
    seen.add(last.fileName)
    if (last.moduleIds.some((id) => zod.test(id))) return way.map(({ fileName }) => fileName)
    const imported = last.imports.flatMap((file) => byFile.get(file) ?? [])
    ways.push(...imported.map((chunk) => [...way, chunk]))
  }
  return null
}
