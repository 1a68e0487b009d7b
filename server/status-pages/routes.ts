import { Elysia } from 'elysia'
import * as z from 'zod/mini'

import { idText } from '../../shared/text.ts'
import { fault } from '../platform/fault.ts'
import { acceptedCoding } from '../platform/http/compressed-answer.ts'
import { isKnownByCaller } from '../platform/http/if-none-match.ts'
import type { HotRoute } from '../platform/http/direct-routes.ts'
import type { GuestHosts } from '../platform/http/guest-hosts.ts'
import { openToAllSites, preparedHeaders } from '../platform/http/response-headers.ts'
import { nothingAt } from '../platform/http/unknown-address.ts'
import { pagePolicy } from './page-style.ts'
import type { PublishedFile } from './publisher.ts'
import type { StatusPages } from './status-pages.ts'
import { createSubscriberRoutes } from './subscribers/subscriber-routes.ts'

const contentTypes: Readonly<Record<PublishedFile['kind'], string>> = {
  html: 'text/html; charset=utf-8',
  json: 'application/json',
  atom: 'application/atom+xml; charset=utf-8',
}

/** A page is made again once a minute, or when a decision changes. */
const cached = 'public, max-age=10, stale-while-revalidate=60'

const headersOf = (kind: PublishedFile['kind']): Headers =>
  preparedHeaders({
    ...(kind !== 'html' && openToAllSites),
    'content-type': contentTypes[kind],
    'content-security-policy': pagePolicy,
    'cache-control': cached,
    vary: 'accept-encoding',
  })

const prepared = { html: headersOf('html'), json: headersOf('json'), atom: headersOf('atom') }

function answerFile({ kind, isPreview, etag, plain, gzipped }: PublishedFile, request: Request): Response {
  const acceptEncoding = request.headers.get('accept-encoding')
  const isGzipped = acceptEncoding !== null && acceptedCoding(acceptEncoding, ['gzip']) !== null
  const isKnown = isKnownByCaller(request.headers.get('if-none-match'), etag)
  const init = { headers: prepared[kind], status: isKnown ? 304 : 200 }
  const response = isKnown ? new Response(null, init) : new Response(isGzipped ? gzipped : plain, init)
  response.headers.set('etag', etag)
  if (isGzipped && !isKnown) response.headers.set('content-encoding', 'gzip')
  if (isPreview) response.headers.set('cache-control', 'no-store')
  return response
}

/** What may stand behind `/status/`: a page, one of its forms, or the preview of a page that is not published. */
const filePattern = /^[a-z0-9-]{1,40}(?:\.json|\.atom|~[0-9a-f]{16})?$/

/** All pages that are not there answer alike, unpublished ones among them. */
function nothingThere(request: Request): Response {
  const nothing = nothingAt(request, fault('not_found', 'There is no such status page'))
  if (nothing instanceof Response) return nothing
  throw nothing
}

function answer(pages: StatusPages, name: string, request: Request): Response {
  const file = pages.file(name)
  return file === null ? nothingThere(request) : answerFile(file, request)
}

/**
 * Creates the public status pages: `/status` (where a page is listed), `/status/{page}`, `.json` and `.atom`, and below a page
 * what people who subscribe send. `monotonic`: ms of a clock that does not run back.
 */
export function createStatusRoutes(pages: StatusPages, monotonic: () => number) {
  const subscribing = createSubscriberRoutes({ ...pages, monotonic })
  const answerSubscriber = ({ request }: { readonly request: Request }) =>
    subscribing(request) ?? nothingThere(request)
  const params = z.object({ file: idText(200) })
  return {
    /** Answers status pages before the router: when something is broken, everybody looks at once. */
    lookUp: {
      prefix: '/status/',
      segment: filePattern,
      template: '/status/:file',
      answer: (name, request) => answer(pages, name, request),
    } satisfies HotRoute,
    plugin: new Elysia({ name: 'status-pages' })
      .get('/status', ({ request }) => answer(pages, '', request))
      .get('/status/:file', ({ params: { file }, request }) => answer(pages, file, request), { params })
      .post('/status/:file/subscribers', answerSubscriber, { parse: 'none' })
      .get('/status/:file/confirm/:token', answerSubscriber)
      .post('/status/:file/confirm/:token', answerSubscriber, { parse: 'none' })
      .get('/status/:file/unsubscribe/:token', answerSubscriber)
      .post('/status/:file/unsubscribe/:token', answerSubscriber, { parse: 'none' }),
    guests: guestHosts(pages, subscribing),
  }
}

/** Under the host of a page nothing is answered but that page, which stands at `/` there. */
const guestHosts = (
  pages: StatusPages,
  subscribing: ReturnType<typeof createSubscriberRoutes>,
): GuestHosts => ({
  template: '/status/:file',
  answer(request) {
    const host = request.headers.get('host')?.replace(/:\d+$/, '').toLowerCase()
    const page = host === undefined ? null : pages.pageOfHost(host)
    if (page === null) return null
    const { pathname } = new URL(request.url)
    if (pathname.startsWith(`/status/${page}/`)) {
      const answered = subscribing(request)
      if (answered !== null) return answered
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') return null
    const name = pathname === '/' ? page : pathname.replace(/^\/status\//, '')
    const file = [page, `${page}.json`, `${page}.atom`].includes(name) ? pages.file(name) : null
    if (file === null) return new Response('There is nothing at this address\n', { status: 404 })
    return answerFile(file, request)
  },
})
