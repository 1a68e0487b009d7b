/** Rules about names of files and about text of any kind. Each answers with one line for each violation. */

import { dirname, join } from 'node:path'

const allowedAtTop = new Set([
  'CHANGELOG.md',
  'Dockerfile',
  'LICENSE',
  'README.md',
  'bunfig.toml',
  'console',
  'deploy',
  'package-lock.json',
  'package.json',
  'scripts',
  'server',
  'shared',
  'tests',
  'tsconfig.json',
])

/** What a run leaves behind, and the operator's own file: git does not know them. */
const leftByRuns = new Set(['data', 'dist', 'gatehouse.yaml', 'node_modules', 'verifier-data'])

export function strayTopLevelEntries(names: readonly string[]): string[] {
  return names
    .filter((name) => !name.startsWith('.') && !name.endsWith('.log'))
    .filter((name) => !allowedAtTop.has(name) && !leftByRuns.has(name))
    .map((name) => `${name}: the top level is fixed, this has no place in it`)
}

/** A pattern each: Bun's glob finds nothing for alternatives in braces that hold a slash or a wildcard. */
const documentPatterns = ['*.md', '{.github,deploy,server,scripts,tests}/**/*.md']

const textPatterns = [
  '*.{json,md,toml}',
  'Dockerfile',
  '.ci/*',
  '{server,shared,console,scripts,tests,deploy,.github}/**/*.{ts,vue,sh,css,html,yaml,yml,md,sql}',
]

/** What people read on its own: every Markdown file. */
export const documents = (): string[] => filesMatching(documentPatterns)

/** Every file that somebody wrote, of any kind of text. */
export const writtenFiles = (): string[] => filesMatching(textPatterns)

const filesMatching = (patterns: readonly string[]): string[] =>
  patterns.flatMap((pattern) => [...new Bun.Glob(pattern).scanSync({ dot: true })]).toSorted()

/** In the server's own README paths start from its folder: words in backquotes that end like a source file or a folder. */
const serverReadme = 'server/README.md'
const pathFromServer = /`((?:[\w.-]+\/)*[\w.-]+\.ts|(?:[\w.-]+\/)+)`/g
const topFolder = /^(?:server|shared|console|scripts|tests|deploy)\//

const ownPath = /(?<![\w/.:@-])(?:\.\/)?(?:server|shared|console|scripts|tests|deploy|\.ci)\/[^\s`'")|,;:#]*/g

/**
 * Paths that a document names: links, which start from its folder, and words that begin with a folder of ours. Patterns
 * and placeholders are left alone.
 */
export function pathsNamedBy(document: string, text: string): string[] {
  const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)\s#]+)/g)].map((match) =>
    join(dirname(document), match[1] ?? ''),
  )
  const words = [...text.matchAll(ownPath)].map((match) => match[0])
  const fromServer =
    document === serverReadme
      ? [...text.matchAll(pathFromServer)]
          .map((match) => match[1] ?? '')
          .filter((path) => !topFolder.test(path))
          .map((path) => join('server', path))
      : []
  const paths = [...links, ...words, ...fromServer].map((path) =>
    path.replace(/^\.\//, '').replace(/[./]+$/, ''),
  )
  return [...new Set(paths)].filter((path) => path !== '' && !/[*<>{}…[\]]/.test(path)).toSorted()
}

/** Rows of a table that name a file of the server and something in it: `| … | \`path\` | \`name\` |`. */
const namedInFile = /\| `([\w./-]+\.ts)` +\| `(\w+)` +\|/g

/** Names that a table of the server's README promises in a file, which does not declare them. */
export function missingNames(text: string, read: (path: string) => string): string[] {
  return [...text.matchAll(namedInFile)].flatMap(([, path = '', name = '']) => {
    const declares = new RegExp(`^export (?:async )?(?:function|const|class) ${name}\\b`, 'm')
    return declares.test(read(join('server', path))) ? [] : [`server/${path} does not declare ${name}`]
  })
}

export function missingPaths(document: string, text: string, exists: (path: string) => boolean): string[] {
  return pathsNamedBy(document, text)
    .filter((path) => !exists(path))
    .map((path) => `${document} names ${path}, which does not exist`)
}

/** Absolute paths of somebody's machine. Folders that every system has (`/dev/null`, `/usr/bin`) are fine. */
const machinePath = /(?<![\w.\-*/}])\/(?:work|tmp|root|home\/\w+|Users\/\w+)\/[\w.-]/

export function machinePathsIn(path: string, text: string): string[] {
  return text
    .split('\n')
    .flatMap((line, index) =>
      machinePath.test(line)
        ? [`${path}:${index + 1} holds the path of a machine: ${line.trim().slice(0, 100)}`]
        : [],
    )
}
