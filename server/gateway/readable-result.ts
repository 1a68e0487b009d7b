import { type CallToolResult, isCallToolResult, isSpecType } from '@modelcontextprotocol/server'

import { type Fields, isFields } from '../../shared/fields.ts'

/**
 * Returns a result that is not quite one of MCP as one that every client reads: its tool has run, and may have changed
 * something, so the call must not look as if it had failed. Nulls for "nothing" are left out, and a block of content that
 * clients would not take becomes a text with its JSON.
 */
export function readableResult(result: Fields): CallToolResult {
  const { content, isError, structuredContent, _meta: meta, ...rest } = result
  return {
    ...rest,
    content: blocksOf(content).map(readableBlock),
    ...(isError === true && { isError }),
    ...(isFields(structuredContent) && { structuredContent }),
    ...(isFields(meta) && isCallToolResult({ content: [], _meta: meta }) && { _meta: meta }),
  }
}

function blocksOf(content: unknown): readonly unknown[] {
  if (Array.isArray(content)) return content
  return content === undefined || content === null ? [] : [content]
}

type Block = CallToolResult['content'][number]

function readableBlock(block: unknown): Block {
  if (isSpecType.ContentBlock(block)) return block
  const mended = withoutNulls(block)
  if (isFields(mended)) {
    const { annotations: _, ...bare } = withPlainBase64(mended)
    if (isSpecType.ContentBlock(bare)) return bare
  }
  const text = typeof block === 'string' ? block : JSON.stringify(block)
  return { type: 'text', text: text.length > maxShownChars ? `${text.slice(0, maxShownChars)}…` : text }
}

/** What clients cannot show as what it is, such as a film, no model reads to its end either. */
const maxShownChars = 10_000

/** The type of a picture stands in its own field, and its data are in the alphabet of RFC 4648, section 4. */
function withPlainBase64(block: Fields): Fields {
  const { data } = block
  if (typeof data !== 'string') return block
  const base64 = data
    .replace(/^data:[^,]*;base64,/, '')
    .replaceAll('-', '+')
    .replaceAll('_', '/')
  return { ...block, data: base64 }
}

/** Metadata stay as they are: what a null means there is for whoever wrote it. */
function withoutNulls(value: unknown): unknown {
  if (!isFields(value)) return value
  const kept = Object.entries(value).filter(([, member]) => member !== null)
  return Object.fromEntries(
    kept.map(([name, member]) => [name, name === '_meta' ? member : withoutNulls(member)]),
  )
}
