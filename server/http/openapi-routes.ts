import { Elysia } from 'elysia'

import { type ByteLimit, countBytes } from './byte-limit.ts'
import { openApiDocument } from './openapi.ts'
import { openToAllSites } from '../platform/http/response-headers.ts'
import type { MountedRoute } from './route-rules.ts'

const info = {
  title: 'Global Health API',
  version: '1.0.0',
  description: 'Health decisions, query keys and usage statistics of this Gatehouse installation',
}

/** `/openapi.json`. `routes` is asked at the first request, when everything is mounted. */
export function openApiRoutes(routes: () => readonly MountedRoute[], reads: ByteLimit) {
  let bytes: Uint8Array<ArrayBuffer> | undefined
  return new Elysia({ name: 'openapi' }).get('/openapi.json', ({ request }) => {
    bytes ??= new TextEncoder().encode(JSON.stringify(openApiDocument(routes(), info)))
    countBytes(reads, request, bytes.length)
    return new Response(bytes, {
      headers: {
        'content-type': 'application/json',
        'cache-control': 'public, max-age=60',
        ...openToAllSites,
      },
    })
  })
}
