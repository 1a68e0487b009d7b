import type { Catalogue, ListedService } from './catalogue.ts'

type Found = readonly (ListedService | undefined)[]

/** Finds the services that reports are about. */
export interface ServiceFinder {
  /** One for each id, in the order of the ids. `purpose` tells apart what is asked for again and again. */
  find(purpose: string, ids: readonly string[]): Found
}

/**
 * Verifiers name the services of a chain in the same order round after round. Whether a list is that of last time is
 * seen by comparing two long texts, which takes a tenth of looking up each id among 10,000.
 */
export function createServiceFinder(catalogue: Pick<Catalogue, 'find' | 'version'>): ServiceFinder {
  const lists = new Map<string, { readonly text: string; readonly found: Found }>()
  let version = catalogue.version

  return {
    find(purpose, ids) {
      if (version !== catalogue.version) lists.clear()
      version = catalogue.version
      const text = ids.join(' ')
      const last = lists.get(purpose)
      if (last?.text === text) return last.found
      const found = ids.map(catalogue.find)
      lists.set(purpose, { text, found })
      return found
    },
  }
}
