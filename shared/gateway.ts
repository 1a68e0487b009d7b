import * as z from 'zod/mini'

import { ConnectionKind, AuthSource, AuthType, ConnectionStatus, DownstreamTransport } from './connections.ts'
import { NameAsWritten, anyObject, lines, matchingTrimmed, remark, text } from './text.ts'

/** The tools of the gateway, in the order of the specification. */
export const toolNames = [
  'discover_networks',
  'discover_categories',
  'search',
  'bind_credentials_bag',
  'execute',
] as const

/** What `execute` can do. */
export const operationNames = [
  'get_details',
  'open_actions',
  'connect_mcp',
  'list_connections',
  'create_connection',
  'get_connection',
  'update_connection_label',
  'delete_connection',
  'list_mcps',
  'bind_mcp_tokens',
  'list_mcp_tools',
  'call_mcp_tool',
] as const
export type OperationName = (typeof operationNames)[number]

/** Why a tool did not do what it was asked, in a form that a model can act on. */
const gatewayErrorCodes = [
  'invalid_arguments',
  'unknown_operation',
  'unknown_chain',
  'unknown_category',
  'unknown_filter',
  'unknown_service',
  'unknown_connection',
  'unknown_session',
  'not_a_tool_server',
  'api_key_needed',
  'auth_required',
  'origin_changed',
  'unreachable',
  'dns',
  'refused',
  'tls',
  'timed_out',
  'not_mcp',
  'redirected',
  'status',
  'too_large',
  'protocol_error',
  'downstream_refused',
  'not_allowed',
  'cancelled',
  'conflict',
  'rate_limited',
  'unavailable',
  'internal',
] as const
export type GatewayErrorCode = (typeof gatewayErrorCodes)[number]

const maxProviders = 50
const maxIdChars = 400

/** A call that would help now. */
export const NextAction = z.object({
  tool: z.enum(toolNames),
  operation: z.optional(z.enum(operationNames)),
  arguments: z.optional(z.record(z.string(), z.unknown())),
  reason: z.string(),
})
export type NextAction = z.infer<typeof NextAction>

const sessionText = 'as an answer named it; only where the transport has no session'

const SessionHandle = text({ min: 0, max: 200 }).check(z.meta({ description: sessionText }))

/** Visible ASCII: what a header can carry without being changed on the way. */
const Secret = matchingTrimmed(
  /^[\x21-\x7e]+(?: [\x21-\x7e]+)*$/,
  'expected visible ASCII characters, as in a token or key',
  8_192,
)

const providerName = /^[A-Za-z0-9_.-]{1,100}$/

const bagText = `expected up to ${maxProviders} secrets by provider: {"<credentialKey>": "<token or key>"}, in visible ASCII`

const isEntry = ([name, secret]: [string, unknown]): boolean =>
  providerName.test(name) && Secret.safeParse(secret).success

/** Looked at as a whole: a text about one entry would name it, and people mix up names and secrets. */
const Secrets = anyObject().check(
  z.refine((bag) => {
    const entries = Object.entries(bag)
    return entries.length <= maxProviders && entries.every(isEntry)
  }, bagText),
)

// Loose objects: clients of other gateways send more, for instance `analytics`.

export const BindCredentialsBagInput = z.looseObject({
  credentials_bag: z.optional(
    Secrets.check(
      z.meta({
        description: '{"<credentialKey>": "<token or key>"}',
      }),
    ),
  ),
  session: z.optional(SessionHandle),
})

export const BindCredentialsBagOutput = z.object({
  session: z.string(),
  bound: z.array(z.string()),
  source: z.enum(['arguments', 'headers', 'none']),
  expires_at: z.string(),
  next_actions: z.array(NextAction),
})
export type BindCredentialsBagOutput = z.infer<typeof BindCredentialsBagOutput>

const ServiceId = text({ min: 0, max: maxIdChars }).check(
  z.meta({ description: 'a service: <category>:<slug>, as search returns it' }),
)

export const ExecuteInput = z.looseObject({
  service_id: z.optional(ServiceId),
  operation: z.optional(
    text({ min: 0, max: 100 }).check(
      z.meta({
        enum: operationNames,
        description: 'get_details when it is left out',
        default: 'get_details',
      }),
    ),
  ),
  arguments: z.optional(anyObject().check(z.meta({ description: 'of the operation' }))),
  session: z.optional(SessionHandle),
})

const within = ([least, most]: readonly [number, number]) => z.int().check(z.minimum(least), z.maximum(most))

/** What every operation may be told besides its own arguments. */
const onService = { service_id: z.optional(ServiceId), chain: z.optional(NameAsWritten) }
const ConnectionId = text({ max: maxIdChars })
const onConnection = { ...onService, connection_id: z.optional(ConnectionId) }

export const ServiceArguments = z.looseObject(onService)
export const ConnectionArguments = z.looseObject(onConnection)
export const ConnectionIdArguments = z.looseObject({ connection_id: ConnectionId })

const bool = z.boolean('expected true or false')

export const ListMcpToolsArguments = z.looseObject({
  ...onConnection,
  query: z.optional(lines({ min: 0, max: 500 })),
  names_only: z.optional(bool),
  tool_name: z.optional(text({ max: 256 })),
  cursor: z.optional(matchingTrimmed(/^\d{1,6}$/, 'expected the next_cursor of the page before', 10)),
})

export const mcpListLimits = { limit: [1, 100], offset: [0, 100_000] } as const

export const ListMcpsArguments = z.looseObject({
  chain: z.optional(NameAsWritten),
  query: z.optional(lines({ min: 0, max: 500 })),
  limit: z._default(within(mcpListLimits.limit), 20),
  offset: z._default(within(mcpListLimits.offset), 0),
})

/** What is saved: a secret that the agent has, or, by OAuth, the consent that the owner gives in a browser. */
const SavedCredentials = z
  .looseObject({
    kind: z._default(z.enum(['static_secret', 'oauth'], 'expected static_secret or oauth'), 'static_secret'),
    secret: z.optional(Secret),
    header_name: z.optional(z.nullable(text({ min: 0, max: 100 }))),
  })
  .check(
    z.refine(({ kind, secret }) => (kind === 'oauth') === (secret === undefined), {
      path: ['secret'],
      error: 'expected a token or key for static_secret, and none for oauth',
    }),
  )

export const CreateConnectionArguments = z.looseObject({
  ...onService,
  credentials: SavedCredentials,
  label: z.optional(z.nullable(remark(200))),
})

export const UpdateLabelArguments = z.looseObject({
  connection_id: ConnectionId,
  label: z.nullable(remark(200)),
})

export const BindMcpTokensArguments = z.looseObject({
  tokens: z.optional(Secrets),
  ...onService,
  token: z.optional(Secret),
})

export const CallMcpToolArguments = z.looseObject({
  ...onConnection,
  tool_name: text({ max: 256 }),
  arguments: z.optional(anyObject()),
})

/** A connection as agents see it. Instants are RFC 3339. */
export const ConnectionEntry = z.object({
  connection_id: z.string(),
  kind: ConnectionKind,
  service_id: z.string(),
  chain: z.string(),
  category: z.string(),
  provider: z.nullable(z.string()),
  name: z.string(),
  mcpEndpoint: z.string(),
  transportType: DownstreamTransport,
  authType: AuthType,
  auth_source: AuthSource,
  status: ConnectionStatus,
  label: z.nullable(z.string()),
  created_at: z.nullable(z.string()),
  last_used_at: z.nullable(z.string()),
  changed_tools: z.array(z.string()),
})
export type ConnectionEntry = z.infer<typeof ConnectionEntry>

/** How the client of a session speaks: by an SSE stream, by a 2025 session, or by handles of ours. */
export const GatewaySessionKind = z.enum(['sse', 'streamable', 'handle'])
export type GatewaySessionKind = z.infer<typeof GatewaySessionKind>

/** A gateway session, for people. Instants are epoch ms. */
export const GatewaySessionView = z.object({
  id: z.string(), // a label: the id of the session itself would open it
  accountId: z.nullable(z.string()),
  keyId: z.nullable(z.string()), // null: anonymous
  kind: GatewaySessionKind,
  openedAt: z.int(),
  lastUsedAt: z.int(),
  expiresAt: z.int(),
  isOpen: z.boolean(), // a stream is open
  chain: z.nullable(z.string()), // of the latest search
  boundProviders: z.array(z.string()),
})
export type GatewaySessionView = z.infer<typeof GatewaySessionView>
