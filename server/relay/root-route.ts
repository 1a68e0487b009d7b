import { Elysia } from 'elysia'

import { factsOf } from '../platform/http/request-facts.ts'
import type { Relay } from './relay.ts'

/** The route of clients that are told a host and a port, but no path, as `bitcoin-cli` is. */
export const rootRoute = ({ route }: Pick<Relay, 'route'>) =>
  new Elysia({ name: 'relay-at-root' }).post(
    '/',
    ({ request }) => route.answerAtRoot(request, factsOf(request)),
    {
      parse: 'none',
      detail: { hide: true },
    },
  )
