import { fieldsOf } from '../../../shared/fields.ts'
import type { Downstream } from '../downstream/downstream.ts'
import { DownstreamError, DownstreamRefusal } from '../downstream/failure.ts'
import type { DownstreamLimits } from '../downstream/limits.ts'
import { hasValidHeaders } from './header-declarations.ts'

/** A tool as its server defines it. */
export type Definition = Readonly<Record<string, unknown>> & { readonly name: string }

const methodNotFound = -32_601

/** What a server lists. */
export interface ReadTools {
  readonly tools: readonly Definition[]
  /** How many tools cannot be called or shown: they have no name or too large a definition, or a client must ignore them. */
  readonly leftOut: number
}

/** Returns all tools of a server unchanged, reading page after page. Rejects like `Downstream.request`. */
export async function readTools(
  downstream: Downstream,
  limits: DownstreamLimits,
  signal: AbortSignal,
): Promise<ReadTools> {
  const tools: Definition[] = []
  const cursors = new Set<string>()
  let read = 0
  let cursor: string | null = null
  for (let page = 0; page < limits.pages; page += 1) {
    const params: Record<string, unknown> = cursor === null ? {} : { cursor }
    const answer = await downstream.request('tools/list', params, { signal }).catch(withoutTools)
    const { items, nextCursor } = pageOf(answer)
    read += items.length
    if (read > limits.tools) throw new DownstreamError({ tooLarge: 'tools' })
    for (const item of items) {
      const tool = definitionOf(item, limits)
      if (tool !== null && isUsable(tool, downstream)) tools.push(tool)
    }
    if (nextCursor === null) return { tools, leftOut: read - tools.length }
    if (cursors.has(nextCursor)) throw new DownstreamError({ tooLarge: 'endless' })
    cursors.add(nextCursor)
    cursor = nextCursor
  }
  throw new DownstreamError({ tooLarge: 'pages' })
}

/** Returns false for tools with invalid header declarations, which only protocol 2026-07-28 has. */
const isUsable = ({ inputSchema }: Definition, { era }: Downstream): boolean =>
  era === 'legacy' || hasValidHeaders(inputSchema)

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

/** Null: it has no name by which it can be called, or is too large to be shown. */
function definitionOf(item: unknown, limits: DownstreamLimits): Definition | null {
  const fields = fieldsOf(item)
  const { name } = fields
  if (typeof name !== 'string' || name === '') return null
  return JSON.stringify(item).length > limits.definitionBytes ? null : { ...fields, name }
}
