import type { RegistryIndex } from './index/registry-index.ts'

/** A network of the registry, and which of its chains is meant. */
export interface ChainPlace {
  readonly network: string
  /** Such as `sepolia`, in lower case; null: none of them, or the main one, which is what most rows are about. */
  readonly subChain: string | null
}

/** A part of networks, and which networks have it. */
interface SubChain {
  readonly subChain: string
  readonly on: ReadonlySet<string>
}

export type FindChainPlace = (chain: string) => ChainPlace | null

const keyOf = (name: string): string =>
  name
    .trim()
    .toLowerCase()
    .replaceAll(/[\s_]+/g, '-')

const allSubChains = 1_000

/**
 * Creates the function that says where in the registry a chain stands. A test network is a chain of its own elsewhere (`sepolia`,
 * `base-sepolia`), and here a part of a network (`ethereum`, `base`): it is found by its key, its name, or as rows call it where
 * one network alone has such a part. Null: nowhere.
 */
export function createChainPlaces(
  { snapshot, rows, values }: Pick<RegistryIndex, 'snapshot' | 'rows' | 'values'>,
  nameOf: (chain: string) => string,
): FindChainPlace {
  const { networks } = snapshot
  let known: ReadonlyMap<string, SubChain> | null = null

  /** Read when it is first asked for: most chains are networks. */
  const subChains = (): ReadonlyMap<string, SubChain> =>
    (known ??= new Map(values.commonest('chain', allSubChains).map(subChainOf)))

  function subChainOf(name: string): [string, SubChain] {
    const on = new Set<string>()
    for (const row of values.rowsWith('chain', name))
      for (const place of rows[row]?.networks ?? []) on.add(networks[place] ?? '')
    return [keyOf(name), { subChain: name.toLowerCase(), on }]
  }

  function read(key: string): ChainPlace | null {
    if (networks.includes(key)) return { network: key, subChain: null }
    for (const network of networks) {
      if (!key.startsWith(`${network}-`)) continue
      const part = key.slice(network.length + 1)
      if (part === 'mainnet') return { network, subChain: null }
      const found = subChains().get(part)
      if (found?.on.has(network) === true) return { network, subChain: found.subChain }
    }
    return null
  }

  function readPart(key: string): ChainPlace | null {
    const found = subChains().get(key)
    const [network, ...others] = found?.on ?? []
    return found === undefined || network === undefined || others.length > 0
      ? null
      : { network, subChain: found.subChain }
  }

  return (chain) => {
    const key = keyOf(chain)
    return read(key) ?? read(keyOf(nameOf(key))) ?? readPart(key)
  }
}
