/** Something that the palette can go to or do. */
export interface PaletteItem {
  readonly id: string
  readonly title: string
  /** What tells it apart from others of the same title. */
  readonly detail?: string
  readonly group: string
  /** Further words by which it is found. */
  readonly keywords?: readonly string[]
}

/** Items that hold every typed word, those whose title begins with the text first; otherwise in their own order. */
export function searchPalette<Item extends PaletteItem>(items: readonly Item[], text: string): Item[] {
  const typed = text.trim().toLowerCase()
  const words = typed.split(/\s+/)
  const found = items.filter((item) => words.every((word) => searchedText(item).includes(word)))
  const isFirst = (item: Item): boolean => item.title.toLowerCase().startsWith(typed)
  return [...found.filter(isFirst), ...found.filter((item) => !isFirst(item))]
}

const searchedText = ({ title, group, keywords = [] }: PaletteItem): string =>
  [title, group, ...keywords].join(' ').toLowerCase()
