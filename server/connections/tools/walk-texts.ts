/** Visits all texts, names of properties included. The depth was limited when the definition was read. */
export function walkTexts(
  value: unknown,
  path: readonly string[],
  onText: (text: string, path: readonly string[]) => void,
): void {
  if (typeof value === 'string') onText(value, path)
  else if (Array.isArray(value)) {
    for (const [place, item] of value.entries()) walkTexts(item, [...path, String(place)], onText)
  } else if (typeof value === 'object' && value !== null) {
    for (const [name, item] of Object.entries(value)) {
      const inner = [...path, name.slice(0, 100)]
      onText(name, inner)
      walkTexts(item, inner, onText)
    }
  }
}
