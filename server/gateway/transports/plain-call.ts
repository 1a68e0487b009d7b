import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  LOG_LEVEL_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  isSpecType,
} from '@modelcontextprotocol/server'

import { findTool } from '../run-tool.ts'
import type { GatewayTool } from '../tools/tool.ts'

type Fields = Readonly<Record<string, unknown>>

/** A `tools/call` of protocol 2026-07-28 or later that asks for its result only. */
export interface PlainCall {
  readonly id: string | number
  readonly tool: GatewayTool
  readonly given: Fields
  readonly capabilities: Fields
  readonly meta: Fields
}

const protocolVersion = '2026-07-28'
const method = 'tools/call'

/**
 * Reads a call that conforms to the protocol in every respect, as nearly all do. Returns null for anything else:
 * for a malformed call, one that wants progress, or one that continues another call. The SDK answers those,
 * because it knows every rule and explains what is wrong. It validates a message several times and makes a
 * server for each, which takes ten times as long.
 */
export function plainCallIn(headers: Headers, body: unknown): PlainCall | null {
  if (!isFields(body) || body.jsonrpc !== '2.0' || body.method !== method) return null
  const { id, params } = body
  if (!hasOnly(body, messageFields) || !isId(id) || !isFields(params) || !hasOnly(params, callFields))
    return null
  const { name, arguments: given = {}, _meta: meta } = params
  if (typeof name !== 'string' || !isFields(given) || !isFields(meta)) return null
  const saysTheSame =
    headers.get('mcp-protocol-version') === protocolVersion &&
    headers.get('mcp-method') === method &&
    headers.get('mcp-name') === name
  const tool = findTool(name)
  const capabilities = meta[CLIENT_CAPABILITIES_META_KEY]
  if (!saysTheSame || tool === undefined || !isPlainMeta(meta) || !areCapabilities(capabilities)) return null
  return { id, tool, given, capabilities, meta }
}

const messageFields: ReadonlySet<string> = new Set(['jsonrpc', 'id', 'method', 'params'])
/** `inputResponses` and `requestState` are absent: they continue an earlier call. */
const callFields: ReadonlySet<string> = new Set(['name', 'arguments', '_meta'])

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

function hasOnly(fields: Fields, names: ReadonlySet<string>): boolean {
  for (const name in fields) if (!names.has(name)) return false
  return true
}

const isId = (id: unknown): id is string | number => typeof id === 'string' || Number.isSafeInteger(id)

function isPlainMeta(meta: Fields): boolean {
  if (meta[PROTOCOL_VERSION_META_KEY] !== protocolVersion) return false
  if ('progressToken' in meta || LOG_LEVEL_META_KEY in meta) return false
  const client = meta[CLIENT_INFO_META_KEY]
  return client === undefined || isPlainClient(client)
}

/** Returns true for client information that is valid; most clients send a name and a version only. */
const isPlainClient = (client: unknown): boolean =>
  isFields(client) &&
  typeof client.name === 'string' &&
  typeof client.version === 'string' &&
  (hasOnly(client, clientFields) || isSpecType.Implementation(client))

const clientFields: ReadonlySet<string> = new Set(['name', 'version'])

function areCapabilities(value: unknown): value is Fields {
  if (!isFields(value)) return false
  return hasOnly(value, nothing) || (!('tasks' in value) && isSpecType.ClientCapabilities(value))
}

const nothing: ReadonlySet<string> = new Set()
