import * as z from 'zod/mini'

import { toolCallBounds } from './tool-calls.ts'
import { idText, matching, matchingTrimmed, nameText } from './text.ts'

/** Bounds of what a person or an agent says of a connection. */
export const connectionBounds = {
  serviceIdChars: 200,
  chainChars: 100,
  secretChars: 8_192,
  headerNameChars: 100,
  labelChars: 100,
  /** Saved connections of one account. */
  savedConnections: 200,
  /** The JSON of one result of a tool. The most is what the gateway takes of any answer. */
  leastResultBytes: 1_024,
  mostResultBytes: 4 << 20,
} as const

/**
 * Saved: kept for its owner, with its secret. Session: made by `connect_mcp`, gone with the gateway session. Public:
 * to a tool server that wants no credentials; it needs no making.
 */
export const ConnectionKind = z.enum(['saved', 'session', 'public'])
export type ConnectionKind = z.infer<typeof ConnectionKind>

/** Where the credentials of a downstream call came from. */
export const AuthSource = z.enum(['none', 'session_bag', 'request_header', 'bound_token', 'saved_connection'])
export type AuthSource = z.infer<typeof AuthSource>

/** What the registry says a tool server wants. */
export const AuthType = z.enum(['none', 'api_key', 'oauth'])
export type AuthType = z.infer<typeof AuthType>

/** How a tool server is spoken to: Streamable HTTP, or the older HTTP with SSE. */
export const DownstreamTransport = z.enum(['http', 'sse'])
export type DownstreamTransport = z.infer<typeof DownstreamTransport>

/**
 * What was last seen of the tool server. `new`: nobody connected yet. `consent_needed`: by OAuth, and its owner has not agreed
 * yet, or has to agree again. `origin_changed`: the registry now names another
 * address than the one the secret was given for. `service_gone`: the registry does not list it any more.
 */
export const ConnectionStatus = z.enum([
  'new',
  'connected',
  'auth_required',
  'consent_needed',
  'unreachable',
  'origin_changed',
  'service_gone',
])
export type ConnectionStatus = z.infer<typeof ConnectionStatus>

/** What an owner decides about the use of a saved connection. */
export const ConnectionUse = z.object({
  /** `warn` marks a tool whose definition is not the accepted one and warns the model; `block` does not call it. */
  onChange: z.enum(['warn', 'block']),
  /** A longer result is left out. */
  resultBytes: z.int(),
  /** Whether results keep the secret of the connection where the tool server quotes it. Errors never do. */
  showsSecrets: z.boolean(),
})
export type ConnectionUse = z.infer<typeof ConnectionUse>

export const defaultConnectionUse: ConnectionUse = {
  onChange: 'warn',
  resultBytes: 1 << 20, // some 260,000 tokens of text; the largest pictures need more
  showsSecrets: false,
}

/** What a saved connection lets us in with: a secret that its owner typed, or tokens that its owner's consent gave. */
export const SavedAuth = z.enum(['secret', 'oauth'])
export type SavedAuth = z.infer<typeof SavedAuth>

/** The access that an owner's consent gave. */
export const OAuthAccessView = z.object({
  issuerHost: z.nullable(z.string()), // null: there was no consent yet
  scopes: z.array(z.string()), // granted, as far as it was told
  lackedScopes: z.array(z.string()), // that a call needed and did not have
  consentedAt: z.nullable(z.int()),
})
export type OAuthAccessView = z.infer<typeof OAuthAccessView>

/** A connection as its owner sees it; never with its secret. Instants are epoch ms. */
export const ConnectionView = z.object({
  id: z.string(),
  kind: ConnectionKind,
  serviceId: z.string(),
  chain: z.string(),
  category: z.string(),
  provider: z.nullable(z.string()),
  name: z.string(), // of the service
  endpoint: z.string(),
  transport: DownstreamTransport,
  authType: AuthType,
  authSource: AuthSource,
  status: ConnectionStatus,
  label: z.nullable(z.string()),
  headerName: z.nullable(z.string()), // null: Authorization, as a bearer token
  createdAt: z.nullable(z.int()), // null: public ones are not made
  lastUsedAt: z.nullable(z.int()),
  // Until when arguments and results of calls are kept; null: they are not.
  contentKeptUntil: z.nullable(z.int()),
  changedTools: z.array(z.string()), // names whose definition is another one than was accepted
  flaggedTools: z.array(z.string()), // names in whose definition something was found that steers models
  use: ConnectionUse,
  oauth: z.nullable(OAuthAccessView), // null: not by OAuth
})
export type ConnectionView = z.infer<typeof ConnectionView>

const serviceId = idText(connectionBounds.serviceIdChars).check(
  z.minLength(3),
  z.meta({ description: 'a registry service: <category>:<slug>', examples: ['mcpservers:example'] }),
)

const chain = idText(connectionBounds.chainChars).check(
  z.meta({ description: 'canonical lowercase chain key', examples: ['ethereum'] }),
)

/** Visible ASCII: what a header can carry without being changed on the way. */
const secret = matchingTrimmed(
  /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/,
  'expected visible ASCII characters, as in a token or key',
  connectionBounds.secretChars,
)

/** Names with a meaning for the connection, or which would let a secret pass for something else. */
const reservedHeaders =
  /^(?:accept|accept-encoding|connection|content-.*|cookie|expect|forwarded|host|keep-alive|last-event-id|mcp-.*|origin|proxy-.*|sec-.*|set-cookie|te|trailer|transfer-encoding|upgrade|via|x-forwarded-.*|x-gateway-.*)$/i

const headerName = matchingTrimmed(
  /^[A-Za-z0-9-]+$/,
  'expected letters, digits and hyphens',
  connectionBounds.headerNameChars,
).check(
  z.refine((name) => !reservedHeaders.test(name), {
    error: 'this header belongs to the protocol: expected one for credentials, such as x-api-key',
  }),
)

export const ConnectionLabel = nameText(connectionBounds.labelChars)

/** A new saved connection. Without `chain`, the alphabetically first one that has the service. */
export const ConnectionForm = z
  .strictObject({
    serviceId,
    chain: z.optional(chain),
    auth: z._default(SavedAuth, 'secret'),
    secret: z._default(z.nullable(secret), null), // null: by OAuth
    headerName: z._default(z.nullable(headerName), null), // null: Authorization, as a bearer token
    label: z._default(z.nullable(ConnectionLabel), null),
  })
  .check(
    z.refine((form) => (form.auth === 'oauth') === (form.secret === null), {
      path: ['secret'],
      error: 'expected a token or key, or none for a connection by OAuth',
    }),
    z.refine((form) => form.auth === 'secret' || form.headerName === null, {
      path: ['headerName'],
      error: 'expected none: by OAuth, tokens go as Authorization',
    }),
  )
export type ConnectionForm = z.infer<typeof ConnectionForm>

export const ConnectionById = z.strictObject({ id: idText(300) })

/** Why an owner cannot be sent to consent. */
export const ConsentProblem = z.enum([
  'server_unreachable',
  'metadata_missing',
  'other_resource',
  'no_pkce',
  'insecure_address',
  'not_registered',
])
export type ConsentProblem = z.infer<typeof ConsentProblem>

/** Where an owner goes to consent, or why that is nowhere. */
export type ConsentStart =
  | { readonly kind: 'away'; readonly redirectTo: string }
  | { readonly kind: 'problem'; readonly problem: ConsentProblem; readonly text: string }

/** How the way to consent ended, as the console's page is told in its address. */
export const consentOutcomes = ['connected', 'declined', 'expired', 'failed'] as const
export type ConsentOutcome = (typeof consentOutcomes)[number]

/** What this installation is called at an authorization server of others. */
export interface IssuerClientView {
  readonly issuer: string
  /** In the installation's file, set by an operator, our own document, or registered by this installation itself. */
  readonly origin: 'file' | 'operator' | 'document' | 'registered'
  readonly clientId: string
  /** Null: in the file. */
  readonly createdAt: number | null
}

const issuerAddress = matchingTrimmed(
  /^https?:\/\/[\x21-\x7e]+$/,
  'expected the address of an authorization server, as https://login.example.com',
  2_000,
)

export const IssuerOf = z.strictObject({ issuer: issuerAddress })

/** A client id that an authorization server gave to the operator. */
export const IssuerClientForm = z.strictObject({
  issuer: issuerAddress,
  clientId: matchingTrimmed(/^[\x20-\x7e]+$/, 'expected visible ASCII characters', 2_000),
  clientSecret: z._default(z.nullable(secret), null),
})
export type IssuerClientForm = z.infer<typeof IssuerClientForm>

/** Client ids of the installation's file. */
export const OAuthIssuersSection = z.array(IssuerClientForm).check(
  z.maxLength(100),
  z.refine(
    (clients) => new Set(clients.map(({ issuer }) => issuer)).size === clients.length,
    'expected no issuer twice',
  ),
)

/** Takes the tools as they were shown: by the fingerprint of that list, so that nothing newer is taken with it. */
export const ToolsAcceptance = z.strictObject({
  id: ConnectionById.shape.id,
  fingerprint: matching(/^[0-9a-f]{64}$/, 'expected the fingerprint of a list of tools'),
})

/** Has arguments and results of calls kept for so many hours; 0: no more. */
export const ContentKeeping = z.strictObject({
  id: ConnectionById.shape.id,
  hours: z.literal([0, ...toolCallBounds.contentHoursChoices]),
})

/** Sets the label, or clears it with null. */
export const ConnectionRelabel = z.strictObject({
  id: ConnectionById.shape.id,
  label: z.nullable(ConnectionLabel),
})

/** Changes some of what is decided about the use of a connection. */
export const ConnectionUseChange = z.strictObject({
  id: ConnectionById.shape.id,
  onChange: z.optional(ConnectionUse.shape.onChange),
  resultBytes: z.optional(
    z.int().check(z.gte(connectionBounds.leastResultBytes), z.lte(connectionBounds.mostResultBytes)),
  ),
  showsSecrets: z.optional(z.boolean()),
})
export type ConnectionUseChange = z.infer<typeof ConnectionUseChange>
