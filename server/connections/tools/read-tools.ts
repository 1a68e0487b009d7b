import { fieldsOf } from '../../../shared/fields.ts'
import type { Downstream } from '../downstream/downstream.ts'
import { DownstreamError, DownstreamRefusal } from '../downstream/failure.ts'
import type { DownstreamLimits } from '../downstream/limits.ts'
import { hasValidHeaders } from './header-declarations.ts'

/** A tool as its server defines it. */
export type Definition = Readonly<Record<string, unknown>> & { readonly name: string }

const methodNotFound = -32_601

/**
 * Returns all tools of a server unchanged, reading page after page, without those that a client must ignore.
 * Rejects like `Downstream.request`.
 */
export async function readTools(
  downstream: Downstream,
  limits: DownstreamLimits,
  signal: AbortSignal,
): Promise<Definition[]> {
  const tools: Definition[] = []
  const cursors = new Set<string>()
  let cursor: string | null = null
  for (let page = 0; page < limits.pages; page += 1) {
    const params: Record<string, unknown> = cursor === null ? {} : { cursor }
    const answer = await downstream.request('tools/list', params, { signal }).catch(withoutTools)
    const { items, nextCursor } = pageOf(answer)
    for (const item of items) tools.push(definitionOf(item, limits))
    if (tools.length > limits.tools) throw new DownstreamError({ tooLarge: 'tools' })
    if (nextCursor === null) return usable(tools, downstream)
    if (cursors.has(nextCursor)) break
    cursors.add(nextCursor)
    cursor = nextCursor
  }
  throw new DownstreamError({ tooLarge: 'pages' })
}

/** Filters tools with invalid header declarations, which only protocol 2026-07-28 has. */
const usable = (tools: readonly Definition[], { era }: Downstream): Definition[] =>
  tools.filter(({ inputSchema }) => era === 'legacy' || hasValidHeaders(inputSchema))

/** Returns an empty list for a server that has prompts or resources only and does not know the method. */
function withoutTools(error: unknown): unknown {
  if (error instanceof DownstreamRefusal && error.code === methodNotFound) return { tools: [] }
  throw error
}

function pageOf(answer: unknown): { items: readonly unknown[]; nextCursor: string | null } {
  const { tools, nextCursor } = fieldsOf(answer)
  if (!Array.isArray(tools)) throw new DownstreamError('not_mcp', 'no tools')
  return { items: tools, nextCursor: typeof nextCursor === 'string' && nextCursor !== '' ? nextCursor : null }
}

function definitionOf(item: unknown, limits: DownstreamLimits): Definition {
  const fields = fieldsOf(item)
  const { name } = fields
  if (typeof name !== 'string' || name === '') throw new DownstreamError('not_mcp', 'a tool without a name')
  if (JSON.stringify(item).length > limits.definitionBytes) throw new DownstreamError({ tooLarge: 'schema' })
  return { ...fields, name }
}
