import { rmSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { waitUntil } from './wait-until.ts'
import type { GatehouseProcess } from './gatehouse-process.ts'
import { commandOf } from './product-programs.ts'
import { startProgram } from './program.ts'
import type { Program } from './program.ts'

/** A stand-alone verifier with the flags of `npm run verifier`. */
export interface VerifierProcess {
  readonly program: Program
  /** Ends it, and removes its state. */
  stop(): Promise<void>
}

/** Returns when its first report was taken. */
export async function startVerifier(
  server: GatehouseProcess,
  name: string,
  environment: Record<string, string> = {},
): Promise<VerifierProcess> {
  const { token } = await server.operator.verifiers.createToken.mutate({ label: name })
  return startVerifierWith(server, token, name, 'test', environment)
}

/** The same with a token that was made elsewhere. */
export async function startVerifierWith(
  server: Pick<GatehouseProcess, 'url'>,
  token: string,
  name: string,
  region = 'test',
  environment: Record<string, string> = {},
): Promise<VerifierProcess> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-verifier-'))
  const settings = { server: server.url, token, name, region, state: folder, 'allow-private': '127.0.0.0/8' }
  const flags = Object.entries(settings).flatMap(([flag, value]) => [`--${flag}`, value])
  const program = startProgram([...commandOf('server/verifier/main.ts'), ...flags], environment)
  const stop = async () => {
    await program.kill()
    rmSync(folder, { recursive: true, force: true })
  }
  try {
    await waitUntil(
      `verifier ${name} reports`,
      () => {
        if (!program.isRunning()) throw new Error(`verifier ${name} ended: ${program.output()}`)
        return program.output().includes('Reporting to')
      },
      20_000,
    )
  } catch (error) {
    await stop()
    throw new Error(`verifier ${name}: ${program.output()}`, { cause: error })
  }
  return { program, stop }
}
