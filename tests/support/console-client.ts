import { createTRPCClient, httpLink, httpSubscriptionLink, splitLink } from '@trpc/client'
import type { TRPCClient } from '@trpc/client'

import type { AppRouter } from '../../server/compose/router.ts'
import { eventSourceBy } from './event-source.ts'
import type { SignedInClient } from '../../scripts/world/signed-in-client.ts'

export type ConsoleClient = TRPCClient<AppRouter>

/** tRPC's own client as the console has it, for somebody who has signed in. */
export function consoleClient({ send }: Pick<SignedInClient, 'send'>): ConsoleClient {
  return createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === 'subscription',
        true: httpSubscriptionLink({ url: '/trpc', EventSource: eventSourceBy(send) }),
        false: httpLink({ url: '/trpc', fetch: (url, init) => send(String(url), init as RequestInit) }),
      }),
    ],
  })
}
