const maxRemembered = 1_000

/** The same function of a text, for those that are asked about the same few texts again and again. */
export function remembered<T>(work: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>()
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = work(text)
    known.set(text, made)
    if (known.size > maxRemembered) known.delete(known.keys().next().value ?? text)
    return made
  }
}
