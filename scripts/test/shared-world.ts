import { sharedVariables } from '../world/shared-variables.ts'

/** Something that is made once for a whole run of the tests. */
interface SharedPart {
  /** What the processes of the tests find it by. */
  readonly value: string
  remove(): void | Promise<void>
}

/** How a part is made. */
export interface PartMaker {
  readonly name: string
  /** The environment variable that gives its value to the processes of the tests. */
  readonly variable: string
  /** Whether it is of use only to tests that start the product's programs. */
  readonly isForPrograms: boolean
  make(): Promise<SharedPart>
}

/** What the test files share. */
export interface SharedWorld {
  /** For the processes of the tests. */
  readonly environment: Readonly<Record<string, string>>
  /** The parts that could not be made: the test files do without them, more slowly. */
  readonly failures: readonly { readonly name: string; readonly error: unknown }[]
  stop(): Promise<void>
}

/** Loaded when they are made: an error in the product's code must not keep the run from starting. */
export const sharedParts: readonly PartMaker[] = [
  {
    name: 'the PostgreSQL of the whole run',
    variable: sharedVariables.database,
    isForPrograms: false,
    async make() {
      const { startTestServer } = await import('../world/database.ts')
      const { url, stop } = await startTestServer()
      return { value: url, remove: stop }
    },
  },
  {
    name: 'the template of the PostgreSQL that an installation has',
    variable: sharedVariables.cluster,
    isForPrograms: true,
    async make() {
      const { makeClusterTemplate } = await import('../world/cluster-template.ts')
      const { dataDir, remove } = await makeClusterTemplate()
      return { value: dataDir, remove }
    },
  },
  {
    name: 'the programs, bundled and compiled',
    variable: sharedVariables.programs,
    isForPrograms: true,
    async make() {
      const { bundleForTests } = await import('../world/product-programs.ts')
      const { folder, remove } = await bundleForTests()
      return { value: folder, remove }
    },
  },
]

/** Makes all parts beside each other; one that cannot be made takes nothing away from the others. */
export async function makeSharedWorld(makers: readonly PartMaker[]): Promise<SharedWorld> {
  const environment: Record<string, string> = {}
  const failures: { name: string; error: unknown }[] = []
  const made: SharedPart[] = []
  await Promise.all(
    makers.map(async ({ name, variable, make }) => {
      try {
        const part = await make()
        made.push(part)
        environment[variable] = part.value
      } catch (error) {
        failures.push({ name, error })
      }
    }),
  )
  return {
    environment,
    failures,
    async stop() {
      await Promise.all(made.map(async (part) => part.remove()))
    },
  }
}
