import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { findCommand } from '../../scripts/world/find-command.ts'
import type { ClientAnswer, ClientQuestion } from './mcp-client-program.ts'
import type { ClientKind, ClientSettings, TestMcpClient } from '../../scripts/world/mcp-clients.ts'

/** The clients of `mcp-clients.ts` in processes of Node, where most agents run. */
export interface ClientsOnNode {
  connect(kind: ClientKind, base: string, settings?: ClientSettings): Promise<TestMcpClient>
  remove(): void
}

const program = join(import.meta.dir, 'mcp-client-program.ts')

/** Node 20 reads no types: the program is bundled into one script, which Node runs as it is. */
export async function createClientsOnNode(): Promise<ClientsOnNode> {
  const node = findCommand('node')
  if (node === null) throw new Error('Node is not installed')
  const { outputs } = await Bun.build({ entrypoints: [program], target: 'node', format: 'esm' })
  const [bundle] = outputs
  if (bundle === undefined) throw new Error('nothing was bundled')
  const folder = mkdtempSync(join(tmpdir(), 'gatehouse-clients-on-node-'))
  const script = join(folder, 'mcp-client.mjs')
  await Bun.write(script, bundle)
  return {
    connect: (kind, base, settings = {}) => connectIn(startNode(node, script), { kind, base, settings }),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}

interface NodeProcess {
  ask<T>(question: ClientQuestion): Promise<T>
  end(): Promise<void>
}

/** It ends with its standard input, which is this process's to close, however this process ends. */
function startNode(node: string, script: string): NodeProcess {
  const child = Bun.spawn([node, script], { stdin: 'pipe', stdout: 'pipe', stderr: 'pipe' })
  const lines = linesOf(child.stdout)
  return {
    async ask<T>(question: ClientQuestion) {
      child.stdin.write(`${JSON.stringify(question)}\n`)
      await child.stdin.flush()
      const { value: line } = await lines.next()
      if (line === undefined) throw new Error(`Node ended: ${await new Response(child.stderr).text()}`)
      const answer: ClientAnswer<T> = JSON.parse(line)
      if ('error' in answer) throw new Error(`on Node: ${answer.error}`)
      return answer.value
    },
    async end() {
      child.stdin.end()
      await child.exited
    },
  }
}

async function* linesOf(stream: ReadableStream<Uint8Array>): AsyncGenerator<string, undefined> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of stream) {
    const lines = `${text}${decoder.decode(chunk, { stream: true })}`.split('\n')
    text = lines.pop() ?? ''
    yield* lines
  }
}

async function connectIn(
  child: NodeProcess,
  connection: { kind: ClientKind; base: string; settings: ClientSettings },
): Promise<TestMcpClient> {
  try {
    const runtime = await child.ask<string>({ ask: 'connect', ...connection })
    if (!runtime.startsWith('Node ')) throw new Error(`the client runs on ${runtime}`)
  } catch (error) {
    await child.end()
    throw error
  }
  return {
    name: `${connection.kind} on Node`,
    toolNames: () => child.ask({ ask: 'toolNames' }),
    call: (tool, args = {}) => child.ask({ ask: 'call', tool, args }),
    execute: (operation, args = {}, serviceId) => child.ask({ ask: 'execute', operation, args, serviceId }),
    async close() {
      await child.ask({ ask: 'close' })
      await child.end()
    },
  }
}
