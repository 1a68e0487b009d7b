import { type Decisions, section, type Requirement } from './requirement.ts'

const tools = section('Gateway tools', 4, {
  'gateway-five-tools':
    'the top-level tools are exactly discover_networks, discover_categories, search, bind_credentials_bag, execute',
  'gateway-call-shape': 'a call names a tool and gives an arguments object',
  'gateway-address': {
    text: 'address and transport of the gateway: not shown',
    decided: 'Streamable HTTP at /mcp (2025 and 2026 eras), HTTP with SSE at /sse and /messages',
  },
  'tool-bind-credentials-bag':
    'bind_credentials_bag binds a session-scoped credentials bag for downstream tool servers',
  'tool-bind-credentials-bag-explicit': 'it takes explicit credentials',
  'tool-bind-credentials-bag-headers': 'or reads them from request headers x-gateway-cred-<provider>',
  'tool-execute': 'execute is the unified runtime entrypoint with service_id, operation and arguments',
  'gateway-payloads': {
    text: 'response payload shapes of the gateway tools beyond the named fields: not shown',
    decided:
      'structuredContent and the same as text, shorter than JSON for search and discovery; results of call_mcp_tool pass untouched; what the model can mend is an isError result with next_actions',
  },
})

const operations = section('Operations of execute', 4, {
  'operation-get-details':
    'get_details takes service_id and returns the raw snapshot plus service_id, chain, category, slug, providerMeta',
  'operation-get-details-default': 'get_details is the default service-scoped action',
  'operation-open-actions':
    'open_actions takes service_id and resolves action buttons and links of an entry, markdown-style links included',
  'operation-connect-mcp-service':
    'connect_mcp connects to the downstream of a service_id and validates connectivity',
  'operation-connect-mcp-saved': 'connect_mcp connects to a saved connection',
  'operation-connect-mcp-answer':
    'connect_mcp returns connection_id, validation status, auth source and next actions',
  'operation-list-connections': 'list_connections lists saved owner-scoped and session-scoped connections',
  'operation-list-connections-public':
    'list_connections may show a virtual public connection of public tool servers',
  'operation-create-connection':
    'create_connection creates a saved owner-scoped connection with credentials of kind static_secret',
  'operation-get-connection': 'get_connection takes connection_id and returns one saved connection',
  'operation-update-connection-label':
    'update_connection_label takes connection_id and label, and updates or clears it',
  'operation-delete-connection': 'delete_connection takes connection_id and deletes a saved connection',
  'operation-list-mcps': 'list_mcps lists downstream tool servers discovered from the registry',
  'operation-bind-mcp-tokens': 'bind_mcp_tokens binds downstream bearer tokens to the current session',
  'operation-list-mcp-tools':
    'list_mcp_tools lists the tools of a connected downstream, preferably by connection_id',
  'operation-call-mcp-tool':
    'call_mcp_tool calls one downstream tool by tool_name, preferably by connection_id, through the active session',
  'operation-call-mcp-tool-arguments': 'the tool arguments of call_mcp_tool are an optional object',
})

const sequences = section('Gateway tools', 4, {
  'sequence-preferred':
    'list_mcps, create_connection or bind_credentials_bag, connect_mcp, list_mcp_tools, call_mcp_tool',
  'sequence-public': 'public tool server: connect_mcp, list_mcp_tools, call_mcp_tool',
  'sequence-private-bag': 'private tool server: bind_credentials_bag, connect_mcp, list and call',
  'sequence-private-headers': 'private tool server: x-gateway-cred-* headers, connect_mcp, list and call',
  'sequence-saved': 'saved connection: create_connection, connect_mcp against it, list and call',
})

const connections = [
  ...section('Connection', 4, {
    'connection-id': 'a connection is identified by connection_id',
    'connection-session-id':
      'a session connection to a registry service has an id of a shape such as agent::<service_id>',
    'connection-attributes': 'attributes: connection_id, validation status, auth source, label, next actions',
    'connection-kind-saved': 'kind: saved owner-scoped connection',
    'connection-kind-session': 'kind: session-scoped connection',
    'connection-kind-virtual-public': 'kind: virtual public connection, for public tool servers',
    'connection-fields': {
      text: 'full field list of a connection: not shown',
      decided:
        'connection_id, kind, service_id, chain, endpoint, transport, auth type, auth source, status, label, created and last used; never a secret',
    },
  }),
  ...section('States and transitions', 4, {
    'connection-create':
      'create_connection with static_secret credentials gives a saved, owner-scoped connection',
    'connection-relabel': 'update_connection_label keeps it saved and updates or clears the label',
    'connection-delete': 'delete_connection with its connection_id removes it',
    'connection-connect':
      'connect_mcp on any connection gives a validated one with connection_id, status, auth source, next actions',
  }),
  ...section('Authentication', 4, {
    'credentials-by-bag': 'downstream credentials come through bind_credentials_bag',
    'credentials-by-header': 'or through request headers x-gateway-cred-<provider>',
    'credentials-by-token': 'or through bind_mcp_tokens',
    'credentials-by-saved-connection': 'or through saved static_secret connections',
    'credentials-session-scoped': 'credential binding is session-scoped',
    'connections-owner-scoped': 'saved connections are owner-scoped',
    'credentials-precedence': {
      text: 'which credentials win when several are given: not shown',
      decided: 'explicit connection, session bag, header, bound token, none; the answer names the source',
    },
    'gateway-authentication': {
      text: 'how callers authenticate to the gateway itself: not shown',
      decided:
        'anonymous for discovery and public servers; a Bearer API key with Gateway Use for the account; an invalid key is 401',
    },
  }),
  ...section('Errors', 4, {
    'gateway-errors': {
      text: 'error responses of the gateway: not shown',
      decided:
        'isError results with error.code, error.message and next_actions; unknown tools and malformed calls are -32602; what belongs to others is as if it did not exist',
    },
  }),
  ...section('Versioning', 4, {
    'connection-v1-flow': 'connection creation is the v1 flow, with static_secret credentials only',
    'bind-mcp-tokens-compatibility': 'bind_mcp_tokens is kept as a compatibility path',
    'gateway-versioning': {
      text: 'versioning scheme of the gateway, and deprecation rules: not shown',
      decided:
        'MCP protocol versions from 2024-11-05 to 2026-07-28 are negotiated; tools and fields are only added',
    },
  }),
]

export const gatewayRequirements: Requirement[] = [...tools, ...operations, ...sequences, ...connections]

export const gatewayDecisions: Decisions = {
  'A gateway session belongs to one API key':
    ', or to whoever knows its id of 256 bits; it ends after an hour without use, or a day. To everybody else it does not exist.',
  'Anonymous callers may connect to, list and call public tool servers':
    '300 times a minute and address; discovery is not limited.',
  'Changed definitions of tools are marked and never blocked':
    '; they are accepted in the console, not by the agent, as they were shown there: what changed since is a 409.',
  'Log messages and changed lists of tool servers are heard at `/mcp/c/<connection_id>`':
    ', as the tool server sends them and by the level that its client sets. Through `execute` they are not: connections to tool servers are shared by the calls of a session and keep no stream open, so that a log message has no call it belongs to; our own five tools never change, and changed ones of others are marked. Progress, questions and cancellation pass both ways.',
  'Anonymous callers without a session are told apart by their address':
    '(IPv6: by their /64); on loopback by nothing.',
  'Tool servers without TLS are reached over sockets of our own':
    ", those with TLS by the platform's `fetch`, whose judgement of certificates is worth more than the 0.2 ms that it takes to hand each exchange to another thread and back.",
  'A passed-through 401 or 403 of a tool server is a 403 here':
    ', without its challenge: that is about its credentials.',
  'A gateway session stays in the process that opened it':
    ', and requests come to it from wherever they arrive, over Redis: its bag, its tokens and its open calls are then in one place, and a request for it where it is costs nothing. What passes through Redis is sealed (AES-256-GCM) under a key that is not in Redis.',
  'The id of a session says, sealed, which process has it, and what it is':
    ': so any process rebuilds it when that one is gone. Exactly one does: two copies would each know half of what is bound next. What was bound is forgotten, because secrets are kept in memory only; the next call that needs them says so.',
  'A process is gone when its presence in Redis (3 s) is':
    ': the first call after a `kill -9` waits for that, one after a SIGTERM does not. A process that was cut off for longer gives up the sessions that went on elsewhere.',
  'A request that a process may have begun is never sent again':
    ': its caller is told so (503, or a JSON-RPC error).',
}
