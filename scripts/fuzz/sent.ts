/** A request of a fuzz run, as it is sent and as it is kept when it finds something. */
export interface SentRequest {
  /** What it asks: `GET /health/{serviceId}`, `apiKeys.create`, `search`. */
  readonly target: string
  readonly by: FuzzCaller
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | null
}

/** Nobody; somebody who owns keys; somebody who runs the installation. */
export const callers = ['nobody', 'owner', 'operator'] as const
export type FuzzCaller = (typeof callers)[number]

/** What came back. */
export interface FuzzAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** What each caller proves who it is with, on REST and MCP (`keyHeaders`) and in the console (`cookieHeaders`). */
export interface Credentials {
  keyHeaders(by: FuzzCaller): Record<string, string>
  cookieHeaders(by: FuzzCaller): Record<string, string>
}

/** One surface of the product: makes requests for it, and says what is wrong with an answer. */
export interface Surface {
  readonly name: string
  make(): SentRequest
  /** Null: all is as it is declared. */
  judge(sent: SentRequest, received: FuzzAnswer): string | null
}

/** Stands in requests where a secret would: no answer may hold it. */
export const plantedSecret = 'planted0secret0canary'

/** What no answer of any surface may hold. */
export function neverAllowed({ status, text }: FuzzAnswer, isInternalError: boolean): string | null {
  if (status === 500 || isInternalError) return 'an internal error'
  if (/\n\s+at .+[:(]\d+|node_modules|\.ts:\d+/.test(text)) return 'a stack'
  if (text.includes(plantedSecret)) return 'an echo of a secret'
  return text.includes('cannot be stored') ? 'a value that a schema should have refused' : null
}

/** What the HTTP server answers before any code of ours. */
export const isByServer = ({ status, text }: FuzzAnswer): boolean => status === 431 && text === ''

/** Undefined: the text is no JSON. */
export function parsed(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text)
    return value
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
