/** Two capital letters of a name: of its first two words, or of its first. Empty where it begins with neither. */
export function letterMark(name: string): string {
  const [first = '', second = ''] = name.match(/[\p{L}\p{N}]+/gu) ?? []
  const letters = second === '' ? first.slice(0, 2) : `${first.slice(0, 1)}${second.slice(0, 1)}`
  return letters.toUpperCase()
}

/** One of so many colours, the same for the same name everywhere. */
export function markColour(name: string, colours: number): number {
  let hash = 0
  for (const character of name) hash = (hash * 31 + (character.codePointAt(0) ?? 0)) % 65_521
  return hash % colours
}
