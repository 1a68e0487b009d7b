/**
 * Which item of a menu a key goes to (WAI-ARIA, menu pattern): the neighbours, the ends, or the next whose title
 * begins with the letter. `current`: -1 for none. Null: the key means nothing here.
 */
export function itemForKey(key: string, titles: readonly string[], current: number): number | null {
  if (titles.length === 0) return null
  switch (key) {
    case 'ArrowDown':
      return (current + 1) % titles.length
    case 'ArrowUp':
      return current <= 0 ? titles.length - 1 : current - 1
    case 'Home':
      return 0
    case 'End':
      return titles.length - 1
    default:
      return key.length === 1 ? itemForLetter(key.toLowerCase(), titles, current) : null
  }
}

function itemForLetter(letter: string, titles: readonly string[], current: number): number | null {
  for (let step = 1; step <= titles.length; step++) {
    const place = (current + step) % titles.length
    if (titles[place]?.toLowerCase().startsWith(letter)) return place
  }
  return null
}
