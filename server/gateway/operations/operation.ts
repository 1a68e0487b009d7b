import type * as z from 'zod/mini'

import type { Author } from '../../keys/changes.ts'
import {
  type PlainFields,
  type ToolRefusal,
  type ToolResult,
  readToolArguments,
  toolRefusal,
} from '../tool-result.ts'
import type { NextAction } from '../../../shared/gateway.ts'
import type { RefusedPaths } from '../corrected-arguments.ts'
import {
  type NextActions,
  bindAction,
  detailsAction,
  listConnectionsAction,
  listMcpsAction,
  preferring,
  showConnection,
  toolsOfConnection,
  toolsOfService,
} from '../next-actions.ts'
import type { CallSession } from '../tools/session-of-call.ts'
import type { ClientCall, ToolServices } from '../tools/tool.ts'

/** One `execute` call: its client and its session. */
export interface OperationCall {
  readonly client: ClientCall
  readonly session: CallSession
}

type Outcome = ToolResult | Promise<ToolResult>

/**
 * One operation of `execute`. `given` holds the unvalidated `arguments`, and the `service_id` that stood beside them. May
 * throw faults.
 */
export type Operation = (
  given: Readonly<Record<string, unknown>>,
  call: OperationCall,
  services: ToolServices,
) => Outcome

interface OperationForm {
  readonly plain?: PlainFields
  /** Returns what helps most when arguments are refused. */
  readonly afterInvalid?: AfterInvalid
}

type AfterInvalid = (
  given: Readonly<Record<string, unknown>>,
  refused: RefusedPaths,
  services: ToolServices,
) => readonly NextAction[]

/** Leads to the connection, or else the service, that refused arguments named. */
const showsNamed: AfterInvalid = (given, _refused, { registry }) => {
  const { connectionId, service } = namedIn(given, registry)
  if (connectionId !== null) return [showConnection(connectionId)]
  return service === null ? [] : [detailsAction(service)]
}

/** Leads to the tools of what refused arguments named, with their schemas. */
export const listsToolsOfNamed: AfterInvalid = (given, _refused, { registry }) => {
  const { connectionId, service } = namedIn(given, registry)
  if (connectionId !== null) return [toolsOfConnection(connectionId)]
  return service === null || service.mcp === null ? [] : [toolsOfService(service)]
}

/** Ids as we give them out. Anything else may be a secret in the wrong place. */
const connectionIdForm = /^(?:con_[\w-]{1,100}|(?:agent|public)::[\w:.@-]{1,300})$/

function namedIn(given: Readonly<Record<string, unknown>>, registry: ToolServices['registry']) {
  const { connection_id: id, service_id: serviceId } = given
  const connectionId = typeof id === 'string' && connectionIdForm.test(id) ? id : null
  const found = typeof serviceId === 'string' ? registry.find({ serviceId }) : null
  return { connectionId, service: found?.ok === true ? found.value : null }
}

/** Creates an operation that validates its arguments first. */
export const operation =
  <Schema extends z.ZodMiniType>(
    schema: Schema,
    run: (given: z.infer<Schema>, call: OperationCall, services: ToolServices) => Outcome,
    { plain, afterInvalid = showsNamed }: OperationForm = {},
  ): Operation =>
  (given, call, services) => {
    const next = (refused: RefusedPaths): NextActions =>
      preferring(afterInvalid(given, refused, services), [listMcpsAction, listConnectionsAction])
    const read = readToolArguments(schema, given, next, plain)
    return read.ok ? run(read.value, call, services) : read.refused
  }

/** Creates an operation on an account's data. It refuses anonymous callers, who own nothing. */
export const accountOperation =
  <Schema extends z.ZodMiniType>(
    schema: Schema,
    run: (given: z.infer<Schema>, author: Author, call: OperationCall, services: ToolServices) => Outcome,
  ): Operation =>
  (given, call, services) => {
    const author = authorOfCall(call.client)
    if ('kind' in author) return author
    return operation(schema, (read) => run(read, author, call, services))(given, call, services)
  }

function authorOfCall({ caller, requestId }: ClientCall): Author | ToolRefusal {
  if (caller.kind === 'anonymous') return apiKeyNeeded
  const { name, keyName, accountId, from } = caller
  const actor = { id: name, label: `${name.startsWith('gra_') ? 'Agent' : 'API key'} ${keyName}` }
  return { accountId, actor, ip: from.caller().address, requestId }
}

const apiKeyNeeded = toolRefusal(
  'api_key_needed',
  'Saved connections belong to an account: connect by OAuth at /mcp/account, or send an API key with the permission Gateway Use as Authorization: Bearer <API key>. Without an account, bind credentials to this session instead.',
  [bindAction(null)],
)
