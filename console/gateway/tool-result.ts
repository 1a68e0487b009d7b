import { type Fields, isFields } from '../../shared/fields.ts'

/** One piece of a tool's answer, as it is shown. */
export type ResultBlock =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'image'; readonly source: string }
  | { readonly kind: 'other'; readonly value: unknown }

/** No vector images: they may hold anything. */
const imageTypes: ReadonlySet<unknown> = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp'])

/** What a tool has answered, block by block. */
export function blocksOf(result: Fields): ResultBlock[] {
  const { content } = result
  if (!Array.isArray(content)) return []
  return content.map((block: unknown) => {
    if (!isFields(block)) return { kind: 'other', value: block }
    const { type, text, data, mimeType } = block
    if (type === 'text' && typeof text === 'string') return { kind: 'text', text }
    if (type === 'image' && typeof data === 'string' && imageTypes.has(mimeType) && /^[\w+/=\s]*$/.test(data))
      return { kind: 'image', source: `data:${String(mimeType)};base64,${data}` }
    return { kind: 'other', value: block }
  })
}
