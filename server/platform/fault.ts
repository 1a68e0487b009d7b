import type { FaultCode, InvalidField } from '../../shared/faults.ts'

interface FaultOptions {
  /** A detail for the log only, which is never sent. */
  detail?: unknown
  retryAfterSec?: number
  /** Extra response headers, for protocols whose refusals carry data (the body stays the specification's). */
  headers?: Record<string, string>
  /** The fields that the console's forms mark; over REST the text says it all. */
  fields?: readonly InvalidField[]
}

/** A refusal that the caller should read. Anything else that is thrown becomes `internal`. */
export class Fault extends Error {
  override readonly name = 'Fault'
  readonly code: FaultCode
  readonly detail: unknown
  readonly retryAfterSec: number | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly fields: readonly InvalidField[]

  constructor(code: FaultCode, publicText: string, options: FaultOptions = {}) {
    super(publicText)
    this.code = code
    this.detail = options.detail
    this.retryAfterSec = options.retryAfterSec
    this.headers = options.headers ?? {}
    this.fields = options.fields ?? []
  }
}

export const fault = (code: FaultCode, publicText: string, options?: FaultOptions): Fault =>
  new Fault(code, publicText, options)

/** Whether something that was thrown is the refusal of that code. */
export const isFault = (error: unknown, code: FaultCode): error is Fault =>
  error instanceof Fault && error.code === code

export function assertNever(value: never): never {
  throw new TypeError(`unreachable case: ${JSON.stringify(value)}`)
}
