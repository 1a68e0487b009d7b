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
let isInterval = false
const note = (path: string): void => {
  if (!isInterval) executed.add(path)
}
const { setInterval: startInterval } = globalThis
/** What an interval runs belongs to no request, so it is not noted. */
const unnotedInterval = (run: (...given: unknown[]) => void, ms?: number, ...given: unknown[]): Timer =>
  startInterval(() => {
    isInterval = true
    try {
      run(...given)
    } finally {
      isInterval = false
    }
  }, ms)
Object.assign(globalThis, { [noteName]: note, setInterval: unnotedInterval })

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
  const call = `${noteName}(${JSON.stringify(path)})`
  const insertions: Insertion[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const body = node.body as ts.ConciseBody
      if (ts.isBlock(body)) insertions.push({ at: body.getStart() + 1, text: `${call};` })
      else insertions.push({ at: body.getStart(), text: `(${call}, ` }, { at: body.end, text: ')' })
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
