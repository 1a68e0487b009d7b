import { RecentMap } from './recent-map.ts'

const maxRemembered = 1_000

/** The same function of an object and a text: its last result is kept with the object, for as long as that lives. */
export function rememberedOf<Of extends WeakKey, T>(
  work: (of: Of, text: string) => T,
): (of: Of, text: string) => T {
  const known = new WeakMap<Of, { readonly text: string; readonly result: T }>()
  return (of, text) => {
    const last = known.get(of)
    if (last?.text === text) return last.result
    const result = work(of, text)
    known.set(of, { text, result })
    return result
  }
}

/** The same function of a text, for those that are asked about the same few texts again and again. */
export function remembered<T>(work: (text: string) => T): (text: string) => T {
  const known = new RecentMap<string, T>(maxRemembered)
  return (text) => {
    const found = known.get(text)
    if (found !== undefined) return found
    const made = work(text)
    known.set(text, made)
    return made
  }
}
