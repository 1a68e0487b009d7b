import type { ToolWarning } from '../call-results.ts'

const longTextBytes = 4_096

/**
 * Characters that a model reads and a person does not see: controls, zero width, direction marks, variation selectors,
 * tags, private use.
 */
const hidden = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\p{Co}]/u
/** Some of them make emoji; and line breaks and tabs are ordinary. */
const harmless = /\p{RGI_Emoji}|[\t\n\r]/gv

/** What to beware of in all texts of a definition, those of its schemas among them. */
export function warningsOf(definition: Readonly<Record<string, unknown>>): ToolWarning[] {
  const found = new Set<ToolWarning>()
  walk(definition, (text) => {
    if (hidden.test(text.replace(harmless, ''))) found.add('hidden_characters')
    if (Buffer.byteLength(text) > longTextBytes) found.add('long_text')
  })
  return [...found].toSorted()
}

/** Depth is bounded by then. */
function walk(value: unknown, onText: (text: string) => void): void {
  if (typeof value === 'string') onText(value)
  else if (Array.isArray(value)) for (const item of value) walk(item, onText)
  else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      onText(name)
      walk(item, onText)
    }
  }
}
