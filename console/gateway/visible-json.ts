import { partsOf } from '../ui/hidden-characters.ts'

/** JSON for people: what would not be seen in it is written as an escape. */
export function visibleJson(value: unknown): string {
  const text = JSON.stringify(value, null, 2) ?? ''
  return partsOf(text)
    .map((part) => (part.kind === 'text' ? part.text : `\\u{${part.name.slice(2).split(' ')[0]}}`))
    .join('')
}
