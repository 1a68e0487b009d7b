import { type Fields, fieldsOf, isFields } from '../../../shared/fields.ts'
import { foldedName } from '../../platform/folded-name.ts'

/**
 * Requests are passed on as they came, and rules about tool calls go by what we read in them. So nothing passes that
 * another reader may read differently: a member that stands twice, one that differs in case only, several calls in one
 * body, arguments that are no object, a header that names another tool.
 */
export function ambiguityOf(message: unknown, body: Uint8Array, headers: Headers): string | null {
  if (Array.isArray(message))
    return message.some((one) => isToolCall(one))
      ? 'Calls of tools in a batch are not passed on: send each by itself'
      : null
  const fields = fieldsOf(message)
  const params = fieldsOf(fields.params)
  if (hasVariant(fields, messageMembers) || hasVariant(params, paramMembers))
    return 'A member of the message is written in another case than the protocol has it'
  if (membersIn(message) !== membersOfText(decoder.decode(body)))
    return 'A member of the message stands twice'
  if (isToolCall(message) && fields.method !== toolCall)
    return 'The method is written in another case than the protocol has it'
  if (isToolCall(message) && !isReadable(params))
    return 'A call of a tool wants the name of the tool as a string, and its arguments as an object'
  if (isOther(headers.get('mcp-method'), fields.method)) return 'The header Mcp-Method names another method'
  if (isToolCall(message) && isOther(headers.get('mcp-name'), params.name))
    return 'The header Mcp-Name names another tool'
  return null
}

const decoder = new TextDecoder()
const messageMembers = ['jsonrpc', 'id', 'method', 'params', 'result', 'error']
const paramMembers = ['name', 'arguments']

const toolCall = 'tools/call'

const isToolCall = (message: unknown): boolean => {
  const { method } = fieldsOf(message)
  return typeof method === 'string' && foldedName(method) === toolCall
}

/** A lenient tool server reads `"{\"path\":…}"` or `[{"path":…}]` as arguments, and `["drop"]` as the name of a tool. */
const isReadable = ({ name, arguments: args = null }: Fields): boolean =>
  typeof name === 'string' && (args === null || isFields(args))

const hasVariant = (fields: object, members: readonly string[]): boolean =>
  Object.keys(fields).some((name) => !members.includes(name) && members.includes(foldedName(name)))

/** A header may carry a name that is no plain ASCII as Base64 (protocol 2026-07-28). */
function isOther(header: string | null, named: unknown): boolean {
  if (header === null || header === named) return false
  const encoded = /^=\?base64\?(.*)\?=$/.exec(header)?.[1]
  return encoded === undefined || Buffer.from(encoded, 'base64').toString() !== named
}

/** Counts the members of all objects in a parsed value. */
function membersIn(value: unknown): number {
  let members = 0
  const left = [value]
  while (left.length > 0) {
    const one = left.pop()
    if (typeof one !== 'object' || one === null) continue
    const inner = Object.values(one)
    if (!Array.isArray(one)) members += inner.length
    for (const item of inner) if (typeof item === 'object') left.push(item)
  }
  return members
}

/** Counts the members that a JSON text writes: the colons outside of its strings. */
function membersOfText(text: string): number {
  let members = 0
  let isInString = false
  for (let place = 0; place < text.length; place += 1) {
    const char = text[place]
    if (isInString && char === '\\') place += 1
    else if (char === '"') isInString = !isInString
    else if (char === ':' && !isInString) members += 1
  }
  return members
}
