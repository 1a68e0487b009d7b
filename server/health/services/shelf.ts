import type { Catalogue, ListedService } from './catalogue.ts'
import type { Service } from './service.ts'

export interface CatalogueChange {
  readonly put?: ListedService
  readonly removed?: ListedService
}

/** The catalogue for those who fill it: every change is told. */
export interface Shelf {
  put(service: Service): void
  drop(id: string): void
}

export function createShelf(catalogue: Catalogue, onChanged: (change: CatalogueChange) => void): Shelf {
  return {
    put: (service) => onChanged({ put: catalogue.put(service) }),
    drop(id) {
      const removed = catalogue.remove(id)
      if (removed) onChanged({ removed })
    },
  }
}
