import type { StatusIncident, StatusPageSpec } from '../../shared/status-pages.ts'
import type { StatusPageStore, StoredPage } from './store.ts'

/** A page as it is active. */
export interface ActivePage {
  readonly spec: StatusPageSpec
  readonly managedBy: 'file' | 'operator'
  /** Who knows it sees the page before it is published; null for pages of the file. */
  readonly previewKey: string | null
  /** Epoch ms; null for pages of the file. */
  readonly updatedAt: number | null
}

/** The pages of operators and of the file, and their incidents, in memory; a page of the file hides one of the same name. */
export function createActivePages(
  store: StatusPageStore,
  since: () => number,
  ofFile: () => readonly StatusPageSpec[],
) {
  let stored: readonly StoredPage[] = []
  let incidents: readonly StatusIncident[] = []

  function all(): ActivePage[] {
    const declared = ofFile()
    const names = new Set(declared.map(({ page }) => page))
    const own = stored.filter(({ spec }) => !names.has(spec.page))
    return [
      ...declared.map((spec) => ({ spec, managedBy: 'file' as const, previewKey: null, updatedAt: null })),
      ...own.map(({ spec, revision, updatedAt }) => ({
        spec,
        managedBy: 'operator' as const,
        previewKey: revision,
        updatedAt,
      })),
    ]
  }

  return {
    all,
    incidents: (): readonly StatusIncident[] => incidents,
    /** Throws the fault `unavailable` while the database is away. */
    async reload(): Promise<void> {
      const [pages, told] = await Promise.all([store.pages(), store.incidents(since())])
      stored = pages
      incidents = told
    },
  }
}
