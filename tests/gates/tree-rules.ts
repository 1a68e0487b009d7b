/** Rules about names of files and about text of any kind. Each answers with one line for each violation. */

const allowedAtTop = new Set([
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
const leftByRuns = new Set(['data', 'dist', 'gatehouse.yaml', 'node_modules'])

export function strayTopLevelEntries(names: readonly string[]): string[] {
  return names
    .filter((name) => !name.startsWith('.') && !name.endsWith('.log'))
    .filter((name) => !allowedAtTop.has(name) && !leftByRuns.has(name))
    .map((name) => `${name}: the top level is fixed, this has no place in it`)
}

const ownPath = /(?<![\w/.:@-])(?:\.\/)?(?:server|shared|console|scripts|tests|deploy|\.ci)\/[^\s`'")|,;:]*/g

/** Paths in the README: links, and words that begin with a folder of ours. Patterns and placeholders are left alone. */
export function pathsInReadme(text: string): string[] {
  const links = [...text.matchAll(/\]\((?!https?:|mailto:|#)([^)\s#]+)/g)].map((match) => match[1] ?? '')
  const words = [...text.matchAll(ownPath)].map((match) => match[0])
  const paths = [...links, ...words].map((path) => path.replace(/^\.\//, '').replace(/[./]+$/, ''))
  return [...new Set(paths)].filter((path) => path !== '' && !/[*<>{}…[\]]/.test(path)).toSorted()
}

export function missingPaths(text: string, exists: (path: string) => boolean): string[] {
  return pathsInReadme(text)
    .filter((path) => !exists(path))
    .map((path) => `README.md names ${path}, which does not exist`)
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
