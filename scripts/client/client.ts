import createClient, { type Client } from 'openapi-fetch'

import type { paths } from './schema.d.ts'

export interface GatehouseAddress {
  /** Such as `https://gatehouse.example.com`. */
  readonly url: string
  /** An API key; what it may do is for its permissions to say. */
  readonly apiKey: string
}

/**
 * A client of one installation, by openapi-fetch: `client.GET('/admin/services', { params: { query: { limit: 10 } } })`. Each
 * call resolves with `data` or `error`, and with `response`, whose `etag` goes into `If-Match` of a change.
 */
export const gatehouseClient = ({ url, apiKey }: GatehouseAddress): Client<paths> =>
  createClient<paths>({ baseUrl: url, headers: { authorization: `Bearer ${apiKey}` } })
