interface Page<Item> {
  readonly items: readonly Item[]
  readonly nextCursor: string | null
}

/** Reads a long list to its end. `tell` hears after each page how many there are so far. */
export async function everyPage<Item>(
  read: (cursor: { readonly cursor?: string }) => Promise<Page<Item>>,
  tell: (count: number) => void,
): Promise<readonly Item[]> {
  const all: Item[] = []
  for (let next: string | null | undefined; next !== null;) {
    const { items, nextCursor } = await read(next === undefined ? {} : { cursor: next })
    all.push(...items)
    tell(all.length)
    next = nextCursor
  }
  return all
}
