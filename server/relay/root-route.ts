import { Elysia } from 'elysia'

import { factsOf } from '../platform/http/request-facts.ts'
import { noWallet } from './errors.ts'
import { anyOrigin, errorResponse } from './http-response.ts'
import type { Relay } from './relay.ts'

const options = { parse: 'none', detail: { hide: true } } as const

/**
 * The routes of clients that are told a host and a port, but no path, as `bitcoin-cli` is. It has a path of its own for
 * the wallet that it is told to use, and shows nothing but JSON-RPC errors.
 */
export const rootRoute = ({ route }: Pick<Relay, 'route'>) =>
  new Elysia({ name: 'relay-at-root' })
    .post('/', ({ request }) => route.answerAtRoot(request, factsOf(request)), options)
    .post('/wallet/*', ({ request }) => errorResponse(factsOf(request), 404, noWallet, anyOrigin), options)
