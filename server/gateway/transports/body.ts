import { isFields } from '../../../shared/fields.ts'
import { readBytes, nestsDeeperThan, requireJson } from '../../platform/http/request-body.ts'
import { requestLimits } from '../../platform/http/request-limits.ts'
import { fault } from '../../platform/fault.ts'
import { parseJson } from '../../platform/json.ts'

/**
 * Returns the parsed JSON of a request, or undefined when it is invalid. Faults: `unsupported_media_type`,
 * `payload_too_large`, `bad_request`.
 */
export async function readJson(request: Request, maxBytes: number): Promise<unknown> {
  requireJson(request.headers)
  const bytes = await readBytes(request, maxBytes)
  if (nestsDeeperThan(bytes, requestLimits.jsonDepth)) {
    throw fault('bad_request', `The JSON may be nested ${requestLimits.jsonDepth} levels deep`)
  }
  return parseJson(bytes)
}

export const messagesOf = (body: unknown): readonly unknown[] => (Array.isArray(body) ? body : [body])

/**
 * Returns true for streams and for calls that may wait for other servers. Bun would otherwise close the
 * connection after ten silent seconds.
 */
export const mayTakeLong = (body: unknown): boolean => messagesOf(body).some(isLong)

function isLong(message: unknown): boolean {
  if (typeof message !== 'object' || message === null || !('method' in message)) return false
  if (message.method === 'subscriptions/listen') return true
  if (message.method !== 'tools/call' || !('params' in message)) return false
  const { params } = message
  return typeof params === 'object' && params !== null && 'name' in params && params.name === 'execute'
}

/** Returns the session handle in the arguments of a call, or null. */
export function sessionNamedIn(message: unknown): string | null {
  if (!isFields(message) || message.method !== 'tools/call' || !isFields(message.params)) return null
  return sessionOfArguments(message.params.arguments)
}

/** Returns the session handle in the arguments themselves, or null. */
export function sessionOfArguments(args: unknown): string | null {
  if (!isFields(args)) return null
  if (typeof args.session === 'string') return args.session
  return isFields(args.arguments) && typeof args.arguments.session === 'string'
    ? args.arguments.session
    : null
}
