import type { ToolWarning } from '../call-results.ts'

const longTextBytes = 4_096

/**
 * Characters that a model reads and a person does not see: controls, zero-width characters, direction marks,
 * variation selectors, tags, private use.
 */
const hidden = /[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Cc}\p{Co}]/u
/** Harmless exceptions: parts of emoji, line breaks and tabs. */
const harmless = /\p{RGI_Emoji}|[\t\n\r]/gv

/** Returns warnings about all texts of a definition, including those of its schemas. */
export function warningsOf(definition: Readonly<Record<string, unknown>>): ToolWarning[] {
  const found = new Set<ToolWarning>()
  walk(definition, (text) => {
    if (hidden.test(text.replace(harmless, ''))) found.add('hidden_characters')
    if (Buffer.byteLength(text) > longTextBytes) found.add('long_text')
  })
  return [...found].toSorted()
}

/** Visits all texts. The depth was limited when the definition was read. */
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
