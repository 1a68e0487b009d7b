/** One `bun test` process. */
export interface Suite {
  name: string
  files: string[]
  /** The process is killed after this, so that a hanging suite cannot block the rest. */
  timeLimitMs: number
  /** Default limit of a single test in it. */
  testTimeoutMs: number
  /** Loaded before the tests, besides what every suite loads. */
  preload?: string
}

interface HeavyFolder {
  name: string
  folder: string
  timeLimitMs: number
  testTimeoutMs: number
}

const unit = { name: 'unit', timeLimitMs: 300_000, testTimeoutMs: 20_000 }

/** The document that these tests need replaces `fetch` and other globals, so no other test may share their process. */
const components = {
  name: 'console',
  timeLimitMs: 120_000,
  testTimeoutMs: 20_000,
  preload: './console/test-support/vue-in-bun.ts',
}
const componentFolder = 'console/'

/** Each file of these folders starts servers or breaks things on purpose: it gets a process of its own. */
const heavyFolders: HeavyFolder[] = [
  { name: 'acceptance', folder: 'tests/acceptance/', timeLimitMs: 240_000, testTimeoutMs: 60_000 },
  { name: 'browser', folder: 'tests/console/', timeLimitMs: 300_000, testTimeoutMs: 60_000 },
  { name: 'faults', folder: 'tests/faults/', timeLimitMs: 600_000, testTimeoutMs: 300_000 },
]

const suffix = '.test.ts'

/** Divides test files (paths from the top of the tree) into suites; the light ones share two processes and come first. */
export function planSuites(files: readonly string[]): Suite[] {
  const sorted = files.toSorted()
  const lightFiles = sorted.filter((file) => heavyFolderOf(file) === undefined)
  const suites: Suite[] = [
    { ...unit, files: lightFiles.filter((file) => !file.startsWith(componentFolder)) },
    { ...components, files: lightFiles.filter((file) => file.startsWith(componentFolder)) },
  ].filter(({ files: own }) => own.length > 0)
  for (const heavy of heavyFolders) {
    for (const file of sorted.filter((candidate) => heavyFolderOf(candidate) === heavy)) {
      suites.push({
        name: `${heavy.name} ${file.slice(heavy.folder.length, -suffix.length)}`,
        files: [file],
        timeLimitMs: heavy.timeLimitMs,
        testTimeoutMs: heavy.testTimeoutMs,
      })
    }
  }
  return suites
}

function heavyFolderOf(file: string): HeavyFolder | undefined {
  return heavyFolders.find((heavy) => file.startsWith(heavy.folder))
}

/** Keeps the files whose path holds one of the patterns; all of them when there is no pattern. */
export function selectFiles(files: readonly string[], patterns: readonly string[]): string[] {
  if (patterns.length === 0) return [...files]
  return files.filter((file) => patterns.some((pattern) => file.includes(pattern)))
}
