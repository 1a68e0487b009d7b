/** The HTTP server answers these before any code of ours: they are not in the common form. */
export const withoutBody: ReadonlySet<string> = new Set(['431'])

/** What of a route decides about how it can refuse. */
interface RouteTraits {
  readonly needsKey: boolean
  readonly hasBody: boolean
  /** Query parameters or headers that a schema looks at. */
  readonly hasFields: boolean
}

/** At the edge, before any route sees the request, and wherever something breaks. */
const everywhere = {
  400: 'The request cannot be read: its Host header, a parameter of its path, its body, or a key stands in its address',
  413: 'The body is too long',
  414: 'The address is too long',
  431: 'The header fields, the address included, are longer than the HTTP server itself reads; sent without a body',
  500: 'Something went wrong on our side; x-request-id finds it in our log',
  503: 'The database does not answer, or the server is overloaded or stopping; try again shortly',
} as const

const withKey = {
  401: 'No API key that works; the same answer for all of them',
  403: 'The API key does not work from here, or lacks the permission',
  429: 'Too many requests from this address or with this key; Retry-After says when to try again',
} as const

/**
 * Statuses with which a route can refuse although it does not name them itself, each with what it means. This is the one
 * place that knows them; a route declares only what is its own.
 */
export function commonRefusals({
  needsKey,
  hasBody,
  hasFields,
}: RouteTraits): Readonly<Record<number, string>> {
  return {
    ...everywhere,
    ...(needsKey && withKey),
    ...(hasBody && { 415: 'The content-type is not application/json, or the body is compressed' }),
    ...((hasBody || hasFields) && {
      422: 'A field is not allowed; the message names it, and what is allowed',
    }),
  }
}
