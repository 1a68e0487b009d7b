import * as z from 'zod/mini'

import { queryKeyBounds } from './query-keys.ts'

/** Bounds of an endpoint. */
export const endpointBounds = {
  upstreams: 20,
  methodPatterns: 200,
  methodChars: 100,
  weight: 1_000,
  credits: 1_000_000,
} as const

/** Lower case, because it is part of an address that people type. */
export const EndpointName = z
  .string()
  .check(
    z.regex(/^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/, 'expected lower-case letters, digits and inner hyphens'),
    z.maxLength(queryKeyBounds.endpointChars),
  )

/** A method's name, or the beginning of names with `*` at its end. */
export const MethodPattern = z
  .string()
  .check(
    z.regex(
      /^(?:[A-Za-z0-9_.:-]+\*?|\*)$/,
      'expected a method such as eth_call, or a beginning such as debug_*',
    ),
    z.maxLength(endpointBounds.methodChars),
  )

const Credits = z.int().check(z.minimum(0), z.maximum(endpointBounds.credits))

/** What a call costs by its method, in credits. `default` is for every method that is not named. */
export const CreditPrices = z.record(
  z
    .string()
    .check(
      z.regex(/^[A-Za-z0-9_.:-]+$/, 'expected a method such as eth_call'),
      z.maxLength(endpointBounds.methodChars),
    ),
  Credits,
)
export type CreditPrices = z.infer<typeof CreditPrices>

const weight = z._default(z.int().check(z.minimum(1), z.maximum(endpointBounds.weight)), 1)

const HttpAddress = z.url({ protocol: /^https?$/, error: 'an http or https address' })
const WebSocketAddress = z.url({ protocol: /^wss?$/, error: 'a ws or wss address' })

/** A monitored service: its health decision steers the relay. */
export const ServiceUpstream = z.strictObject({ service: z.string().check(z.minLength(1)), weight })

/** Any other node. Its address and its headers never leave the server again. */
export const AddressUpstream = z.strictObject({
  url: HttpAddress,
  ws: z.optional(WebSocketAddress), // for subscriptions; the url with ws in the place of http when not given
  headers: z._default(z.record(z.string(), z.string()), {}),
  weight,
})
export const UpstreamSpec = z.union([ServiceUpstream, AddressUpstream])
export type UpstreamSpec = z.infer<typeof UpstreamSpec>

const patterns = z._default(z.array(MethodPattern).check(z.maxLength(endpointBounds.methodPatterns)), [])

/** A named route to upstreams, in the declarative file and in the console. */
export const EndpointSpec = z.strictObject({
  name: EndpointName,
  chain: z.string().check(z.minLength(1)),
  upstreams: z.array(UpstreamSpec).check(z.minLength(1), z.maxLength(endpointBounds.upstreams)),
  methods: z._default(z.strictObject({ allow: patterns, deny: patterns }), { allow: [], deny: [] }), // blank allow: all
  credits: z._default(CreditPrices, {}), // before those of the installation
})
export type EndpointSpec = z.infer<typeof EndpointSpec>
