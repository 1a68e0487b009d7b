import { describe, expect, test } from 'bun:test'

import type { Downstream } from '../downstream/downstream.ts'
import { defaultDownstreamLimits as limits } from '../downstream/limits.ts'
import { readTools } from './read-tools.ts'

const tool = (name: unknown) => ({ name, inputSchema: { type: 'object' } })

/** A server that answers each page by its number; the cursor of the next one is given, or is the next number. */
function serverWith(pageAt: (page: number) => { tools: unknown; nextCursor?: string }) {
  const asked: unknown[] = []
  const downstream = {
    era: 'modern',
    request: async (_method: string, params: object) => pageAt(asked.push(params) - 1),
  } as unknown as Downstream
  return { asked, read: () => readTools(downstream, limits, AbortSignal.timeout(5_000)) }
}

describe('the tools of a server', () => {
  test('are listed without those that have no name or are too large, and these are counted', async () => {
    const large = { ...tool('large'), description: 'x'.repeat(limits.definitionBytes) }
    const tools = [tool('one'), tool(''), tool(7), null, large, tool('two')]
    const { tools: read, leftOut } = await serverWith(() => ({ tools })).read()
    expect(read.map(({ name }) => name)).toEqual(['one', 'two'])
    expect(leftOut).toBe(4)
  })

  test('are counted where clients must ignore them', async () => {
    const odd = { name: 'odd', inputSchema: { type: 'object', properties: { a: { 'x-mcp-header': '' } } } }
    expect(await serverWith(() => ({ tools: [tool('one'), odd] })).read()).toMatchObject({ leftOut: 1 })
  })

  test('may be spread over many pages', async () => {
    const server = serverWith((page) => ({
      tools: Array.from({ length: 10 }, (_, place) => tool(`t${page}-${place}`)),
      ...(page < 30 && { nextCursor: String(page + 1) }),
    }))
    expect((await server.read()).tools).toHaveLength(310)
  })

  test.each([
    ['endless', 'a cursor that comes again', () => ({ tools: [], nextCursor: 'again' })],
    ['pages', 'ever new cursors', (page: number) => ({ tools: [], nextCursor: String(page) })],
    [
      'tools',
      'too many tools',
      (page: number) => ({ tools: Array(300).fill(tool('t')), nextCursor: `${page}` }),
    ],
  ] as const)('are refused as %s for %s', async (tooLarge, _, pageAt) => {
    const { read, asked } = serverWith(pageAt)
    expect(read()).rejects.toMatchObject({ reason: { tooLarge } })
    await read().catch(() => undefined)
    expect(asked.length).toBeLessThanOrEqual(2 * limits.pages)
  })

  test('are no list at all in an answer that is not MCP', () => {
    expect(serverWith(() => ({ tools: 'none' })).read()).rejects.toMatchObject({ reason: 'not_mcp' })
  })
})
