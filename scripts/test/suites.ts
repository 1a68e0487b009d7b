/**
 * How a suite shares the machine. Nothing runs beside those that run `alone`, and their file says why; those that are `waiting`
 * for time to pass take little of a processor, but at once when their time has come.
 */
export type Sharing = 'busy' | 'waiting' | 'alone'

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
  sharing: Sharing
  /** Whether its tests start the product's programs. */
  startsPrograms: boolean
}

/** A test file: its path from the top of the tree, and its text. */
export interface TestFile {
  path: string
  text: string
}

interface HeavyFolder {
  name: string
  folder: string
  testTimeoutMs: number
}

/** A suite that takes longer hangs: the slowest one takes half of it on the slowest machine. */
const timeLimitMs = 600_000

const unit = { timeLimitMs, testTimeoutMs: 20_000, sharing: 'busy', startsPrograms: false } as const
/** So many light files share a process: few enough that several processes run beside each other. */
const unitFiles = 60

/** The document that these tests need replaces `fetch` and other globals, so no other test may share their process. */
const components = {
  name: 'console',
  timeLimitMs,
  testTimeoutMs: 20_000,
  preload: './console/test-support/vue-in-bun.ts',
  sharing: 'busy',
  startsPrograms: false,
} as const
const componentFolder = 'console/'

/** Each file of these folders starts servers or breaks things on purpose: it gets a process of its own. */
const heavyFolders: HeavyFolder[] = [
  { name: 'faults', folder: 'tests/faults/', testTimeoutMs: 300_000 },
  { name: 'browser', folder: 'tests/console/', testTimeoutMs: 120_000 },
  { name: 'acceptance', folder: 'tests/acceptance/', testTimeoutMs: 60_000 },
]

const suffix = '.test.ts'

/** The line by which a test file says how it shares the machine, and why. */
const sharingLine = /^\/\/ (Runs alone|Mostly waits): .+$/m

/**
 * Divides test files into suites. The light ones share a few processes; each heavy file is a suite of its own. Those of each
 * kind are spread evenly, because kinds differ in what they do most: browsers keep a processor busy, and others wait.
 */
export function planSuites(files: readonly TestFile[]): Suite[] {
  const sorted = files.toSorted((one, other) => (one.path < other.path ? -1 : 1))
  const lightPaths = sorted.map(({ path }) => path).filter((path) => heavyFolderOf(path) === undefined)
  const light = [
    ...unitSuites(lightPaths.filter((path) => !path.startsWith(componentFolder))),
    { ...components, files: lightPaths.filter((path) => path.startsWith(componentFolder)) },
  ].filter(({ files: own }) => own.length > 0)
  const heavy = heavyFolders.map((folder) =>
    sorted.filter(({ path }) => heavyFolderOf(path) === folder).map((file) => heavySuite(folder, file)),
  )
  return spread([light, ...heavy])
}

/** Merges lists so that each is spread evenly over the whole, in its own order. */
function spread<Item>(lists: readonly (readonly Item[])[]): Item[] {
  return lists
    .flatMap((list) => list.map((item, index) => ({ item, place: (index + 0.5) / list.length })))
    .toSorted((one, other) => one.place - other.place)
    .map(({ item }) => item)
}

/** Deals the files out in turn, so that the slow files of one folder do not meet in one process. */
function unitSuites(paths: readonly string[]): Suite[] {
  const count = Math.ceil(paths.length / unitFiles)
  return Array.from({ length: count }, (_, turn) => ({
    ...unit,
    name: count === 1 ? 'unit' : `unit ${turn + 1} of ${count}`,
    files: paths.filter((_path, index) => index % count === turn),
  }))
}

function heavySuite(heavy: HeavyFolder, { path, text }: TestFile): Suite {
  const said = sharingLine.exec(text)?.[1]
  return {
    name: `${heavy.name} ${path.slice(heavy.folder.length, -suffix.length)}`,
    files: [path],
    timeLimitMs,
    testTimeoutMs: heavy.testTimeoutMs,
    sharing: said === undefined ? 'busy' : said === 'Runs alone' ? 'alone' : 'waiting',
    startsPrograms: true,
  }
}

function heavyFolderOf(path: string): HeavyFolder | undefined {
  return heavyFolders.find((heavy) => path.startsWith(heavy.folder))
}

/** Keeps the paths that hold one of the patterns; all of them when there is no pattern. */
export function selectFiles(paths: readonly string[], patterns: readonly string[]): string[] {
  if (patterns.length === 0) return [...paths]
  return paths.filter((path) => patterns.some((pattern) => path.includes(pattern)))
}
