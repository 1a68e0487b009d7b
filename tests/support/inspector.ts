import { join } from 'node:path'

import { temporaryDataDir } from '../../scripts/world/database.ts'

const program = join(
  import.meta.dir,
  '../../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
)

interface InspectorRun {
  readonly exitCode: number
  readonly output: string
  readonly complaints: string
}

/** Somebody at whose computer it runs. */
interface InspectorUser {
  /** Where it keeps its settings, and the tokens that it got. */
  readonly home: string
  /** Opens the address that it shows for its user to sign in. */
  readonly signIn: (link: string) => Promise<void>
}

/** Runs the command line of the protocol's inspector; without a user, it can sign in nowhere. */
export async function inspect(args: readonly string[], user?: InspectorUser): Promise<InspectorRun> {
  const run = Bun.spawn([process.execPath, '--no-env-file', program, '--cli', ...args], {
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    env: {
      ...process.env,
      // It writes settings of its own into the home folder.
      HOME: user?.home ?? temporaryDataDir(),
      MCP_INSPECTOR_SECRET_STORE: 'file',
      // It asks nobody to sign in where it cannot open a browser; this one opens nothing.
      ...(user && { MCP_AUTO_OPEN_ENABLED: 'true', BROWSER: 'true' }),
    },
  })
  const [output, complaints] = await Promise.all([
    new Response(run.stdout).text(),
    readComplaints(run.stderr, user),
  ])
  return { exitCode: await run.exited, output, complaints }
}

async function readComplaints(stderr: ReadableStream<Uint8Array>, user?: InspectorUser): Promise<string> {
  const text = new TextDecoder()
  let complaints = ''
  let signingIn: Promise<void> | undefined
  for await (const piece of stderr) {
    complaints += text.decode(piece, { stream: true })
    const link = /^Please navigate to: (\S+)$/m.exec(complaints)?.[1]
    if (link !== undefined) signingIn ??= user?.signIn(link)
  }
  await signingIn
  return complaints
}
