import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  isSpecType,
  specTypeSchemas,
  type JSONRPCRequest,
  type Result,
  type ServerContext,
} from '@modelcontextprotocol/server'

import * as z from 'zod/mini'

import { parseJson } from '../platform/json.ts'
import { describeIssues } from '../platform/validation-text.ts'

/** What the SDK writes as the message of an error, as JSON: the issues of its schema. */
const Issues = z.array(
  z.looseObject({ message: z.string(), path: z.array(z.union([z.string(), z.number()])) }),
)
const issuesAsText = /^(?:Invalid [\w/]+ request: )?(\[\s*\{.*\}\s*\])$/su

type AnswerRequest = (request: JSONRPCRequest, context: ServerContext) => Promise<Result>

/**
 * A server that answers malformed requests in a sentence that names the field: the SDK has `-32603` for most of them, and
 * the whole of what its schema says as the text.
 */
export class SentenceServer extends Server {
  protected override _wrapHandler(method: string, handler: AnswerRequest): AnswerRequest {
    const wrapped = super._wrapHandler(method, handler)
    return async (request, context) => {
      try {
        return await wrapped(request, context)
      } catch (error) {
        throw malformedIn(error, request) ?? error
      }
    }
  }
}

function malformedIn(error: unknown, request: JSONRPCRequest): ProtocolError | null {
  if (!(error instanceof Error)) return null
  const [, text] = issuesAsText.exec(error.message) ?? []
  const issues = text === undefined ? null : Issues.safeParse(parseJson(text))
  return issues?.success === true ? malformed(describeIssues(issues.data, request, 'body')) : null
}

const malformed = (text: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, text)

/** Returns what is wrong with a request that begins a session; null where it is another one, or nothing is wrong. */
export function malformedInitialize(message: unknown): { id: string | number; text: string } | null {
  if (!isSpecType.JSONRPCRequest(message) || message.method !== 'initialize') return null
  const read = specTypeSchemas.InitializeRequest['~standard'].validate(message)
  const issues = 'issues' in read ? Issues.safeParse(read.issues) : null
  return issues?.success === true
    ? { id: message.id, text: describeIssues(issues.data, message, 'body') }
    : null
}
