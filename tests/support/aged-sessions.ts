import type { Page } from 'playwright-core'

import type { TestDatabase } from '../../scripts/world/database.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'

/**
 * Everybody signed in an hour ago. Resolves when the server of the page knows it: a notification tells it, which may
 * arrive after the next request.
 */
export async function ageSessions({ sql }: TestDatabase['database'], page: Page): Promise<void> {
  await sql`UPDATE web_sessions SET signed_in_at = signed_in_at - interval '1 hour'`
  const accounts = await sql<{ id: string }[]>`SELECT id FROM accounts`
  for (const { id } of accounts) await sql`SELECT pg_notify('gatehouse_web_sessions', ${id})`
  await waitUntil('the session is no longer fresh', async () => {
    const { result } = await (await page.request.get('/trpc/accounts.me')).json()
    return result.data.freshUntil < Date.now()
  })
}
