/**
 * Preloaded into a server: rewrites each function of `server/` and `shared/` so that it notes its file when it is
 * called, and answers on a Unix socket which files were noted since the last request. A file of which only constants or
 * types are used is not noted.
 */
import { relative } from 'node:path'

import ts from 'typescript'

import { projectDir } from '../program.ts'

/** In the order of the first call into each. */
const executed = new Set<string>()
const noteName = '__noteExecuted'
Object.assign(globalThis, { [noteName]: (path: string) => void executed.add(path) })

Bun.plugin({
  name: 'record executed files',
  setup(build) {
    build.onLoad({ filter: /\/(?:server|shared)\/.*\.ts$/ }, async ({ path }) => ({
      contents: withNotes(relative(projectDir, path), await Bun.file(path).text()),
      loader: 'ts',
    }))
  },
})

interface Insertion {
  readonly at: number
  readonly text: string
}

/** Inserts a note at the beginning of every function body. */
function withNotes(path: string, text: string): string {
  const note = `${noteName}(${JSON.stringify(path)})`
  const insertions: Insertion[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const body = node.body as ts.ConciseBody
      if (ts.isBlock(body)) insertions.push({ at: body.getStart() + 1, text: `${note};` })
      else insertions.push({ at: body.getStart(), text: `(${note}, ` }, { at: body.end, text: ')' })
    }
    ts.forEachChild(node, visit)
  }
  visit(ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true))
  let noted = text
  for (const { at, text: inserted } of insertions.toSorted((one, other) => other.at - one.at)) {
    noted = noted.slice(0, at) + inserted + noted.slice(at)
  }
  return noted
}

Bun.serve({
  unix: process.env.EXECUTED_FILES_SOCKET ?? '',
  fetch() {
    const paths = [...executed]
    executed.clear()
    return Response.json(paths)
  },
})
