import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { findCommand } from '../../../scripts/world/find-command.ts'
import type { FuzzedResponse } from './fuzzed-response.ts'
import type { LlhttpVerdict } from './llhttp-program.ts'

/** The parser of Node in a process of Node. */
export interface Llhttp {
  read(responses: readonly FuzzedResponse[]): Promise<LlhttpVerdict[]>
  stop(): Promise<void>
}

const program = join(import.meta.dir, 'llhttp-program.ts')

/** Node 20 reads no types: the program is bundled into one script, which Node runs as it is. */
export async function startLlhttp(): Promise<Llhttp> {
  const { outputs } = await Bun.build({ entrypoints: [program], target: 'node', format: 'esm' })
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-llhttp-'))
  const script = join(folder, 'llhttp.mjs')
  await Bun.write(script, outputs[0] ?? '')
  const child = Bun.spawn([findCommand('node') ?? 'node', script], {
    stdin: 'pipe',
    stdout: 'pipe',
    stderr: 'inherit',
  })
  const lines = linesOf(child.stdout)
  return {
    async read(responses) {
      child.stdin.write(Buffer.concat(responses.map(framed)))
      await child.stdin.flush()
      const verdicts: LlhttpVerdict[] = []
      while (verdicts.length < responses.length) {
        const { value } = await lines.next()
        if (value === undefined) throw new Error('Node ended')
        verdicts.push(JSON.parse(value))
      }
      return verdicts
    },
    async stop() {
      child.kill()
      await child.exited
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function framed({ bytes, isBodiless }: FuzzedResponse): Buffer {
  const head = Buffer.alloc(5)
  head.writeUInt32LE(bytes.length)
  head[4] = isBodiless ? 1 : 0
  return Buffer.concat([head, bytes])
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder()
  let unfinished = ''
  for await (const piece of stream) {
    const lines = (unfinished + decoder.decode(piece, { stream: true })).split('\n')
    unfinished = lines.pop() ?? ''
    yield* lines
  }
  return undefined
}
