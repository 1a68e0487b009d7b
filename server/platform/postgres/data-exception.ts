import { type Fault, fault } from '../fault.ts'

/**
 * What a caller is told of a statement that failed because of a value (SQLSTATE class 22: a NUL character, a number or
 * an instant that its column cannot hold); null for every other error. The schema of the input should have refused the
 * value, so that it could name the field: whoever calls this logs it as a mistake of ours.
 */
export function dataException(error: unknown): Fault | null {
  if (!(error instanceof Error) || !('code' in error) || !/^22[0-9A-Z]{3}$/.test(String(error.code)))
    return null
  return fault(
    'invalid_request',
    'A value of this request cannot be stored: a text holds a character, or a number or an instant is of a size, that is not allowed',
    { detail: error },
  )
}
