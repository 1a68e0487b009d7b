import type { ServiceSummary } from '../../shared/health-services.ts'

/** A service that was chosen in the list. */
export type ChosenService = Pick<ServiceSummary, 'id' | 'name' | 'managedBy' | 'maintenance'>

/** As many as one request to the server may hold. */
const atOnce = 20

/** What came of a change of several services: of each either that it is done, or why not. */
export interface BulkOutcome {
  readonly done: readonly string[]
  readonly failed: readonly { readonly name: string; readonly error: unknown }[]
}

/** Changes one service after the other, as many at once as one request holds. One that fails keeps no other back. */
export async function changeEach(
  services: readonly Pick<ChosenService, 'id' | 'name'>[],
  change: (id: string) => Promise<unknown>,
): Promise<BulkOutcome> {
  const done: string[] = []
  const failed: { name: string; error: unknown }[] = []
  for (let from = 0; from < services.length; from += atOnce) {
    const some = services.slice(from, from + atOnce)
    const results = await Promise.allSettled(some.map(({ id }) => change(id)))
    for (const [place, { id, name }] of some.entries()) {
      const result = results[place]
      if (result?.status === 'rejected') failed.push({ name, error: result.reason })
      else done.push(id)
    }
  }
  return { done, failed }
}

/** `Node A`, or `3 services`. */
export const chosenText = (services: readonly Pick<ChosenService, 'name'>[]): string =>
  services.length === 1 ? `“${services[0]?.name ?? ''}”` : `${services.length} services`

/** Why it failed for some of them: the first of each reason by name, and how many more have it. */
export function failureText(failed: BulkOutcome['failed'], wordsOf: (error: unknown) => string): string {
  const byWords = Map.groupBy(failed, ({ error }) => wordsOf(error))
  return [...byWords]
    .map(([words, those]) => {
      const more = those.length > 1 ? ` and ${those.length - 1} more` : ''
      return `“${those[0]?.name ?? ''}”${more}: ${words}`
    })
    .join(' ')
}
