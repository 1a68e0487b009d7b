import type { GatewayErrorCode } from '../../shared/gateway.ts'
import { Fault } from '../platform/fault.ts'
import { unknownConnection } from './operations/unknown-connection.ts'
import { type Refused, refuse } from './outcome.ts'

const codes: Readonly<Partial<Record<Fault['code'], GatewayErrorCode>>> = {
  invalid_request: 'invalid_arguments',
  bad_request: 'invalid_arguments',
  conflict: 'conflict',
  rate_limited: 'rate_limited',
  unavailable: 'unavailable',
}

/** What was thrown, as a result that a model can read. Of what is no fault it learns nothing. */
export function refusedByFault(thrown: unknown): Refused {
  if (!(thrown instanceof Fault)) return somethingWentWrong
  if (thrown.code === 'not_found') return unknownConnection
  const { retryAfterSec } = thrown
  const known = retryAfterSec === undefined ? {} : { retry_after_seconds: retryAfterSec }
  const code = codes[thrown.code]
  return code === undefined ? somethingWentWrong : refuse(code, thrown.message, [], known)
}

const somethingWentWrong = refuse(
  'internal',
  'Something went wrong on our side; try again, or tell the operator the time',
)
