import type { Page } from 'playwright-core'

/** Calls a mutation as the page itself does, with the session of its browser; returns the answer. */
export const callInPage = (page: Page, procedure: string, input: unknown): Promise<unknown> =>
  page.evaluate(
    async ({ path, body }) => {
      const response = await fetch(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      })
      if (!response.ok) throw new Error(await response.text())
      const { result } = (await response.json()) as { result: { data: unknown } }
      return result.data
    },
    { path: `/trpc/${procedure}`, body: JSON.stringify(input) },
  )
