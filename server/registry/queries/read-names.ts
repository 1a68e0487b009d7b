import type { FindChainPlace } from '../chain-places.ts'
import type { RegistryIndex } from '../index/registry-index.ts'
import type { Understood, Wish } from '../search/understand.ts'

/**
 * Creates the functions that return the key of a chain and of a category, however it is written: in capitals, by its name, or
 * by an alias that a question may use (`eth`, `rpc`). A text that means nothing, or more than that, is returned as it is, so
 * that whoever looks it up refuses it.
 */
export function createReadNames(
  { snapshot, categories }: Pick<RegistryIndex, 'snapshot' | 'categories'>,
  placeOf: FindChainPlace,
  understand: (query: string, within: null) => Understood,
) {
  /** Returns what a text means if it means one thing, without a guess at its spelling. */
  function onlyWish(text: string): Wish | null {
    const { wishes, corrected, unknown, order } = understand(text, null)
    const [wish = null, ...others] = wishes
    return others.length + corrected.length + unknown.length > 0 || order !== null ? null : wish
  }

  return {
    chainKey: (text: string): string =>
      read(text, snapshot.networks, () => {
        const place = placeOf(text)
        if (place !== null) return place.network
        // A number is a chain id only after a word that says so.
        const wish = onlyWish(`chain ${text}`)
        return wish?.kind === 'network' ? wish.network : undefined
      }),
    categoryKey: (text: string): string =>
      read(text, categories, () => {
        const wish = onlyWish(text)
        return wish?.kind === 'category' ? wish.categories[0] : undefined
      }),
  }
}

function read(text: string, known: readonly string[], meant: () => string | undefined): string {
  if (known.includes(text)) return text
  const plain = text.trim().toLowerCase()
  if (known.includes(plain)) return plain
  const key = meant()
  return key !== undefined && known.includes(key) ? key : text
}
