import { probeErrors } from '../../../shared/verifier-protocol.ts'
import type { ObservationRow } from '../../../shared/verifier-protocol.ts'

const rowLength = 8
const hashPattern = /^[0-9a-f]{16}$/
const errors: ReadonlySet<unknown> = new Set(probeErrors)

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
const isHash = (value: unknown): boolean => typeof value === 'string' && hashPattern.test(value)

/** What the schema `ObservationRow` accepts, in a fiftieth of the time: verifiers send 20,000 rows a second. */
export function isObservationRow(value: unknown): value is ObservationRow {
  if (!Array.isArray(value) || value.length !== rowLength) return false
  const [service, ok, error, height, timestamp, hash, rttMs, offsetMs]: unknown[] = value
  return (
    isCount(service) &&
    (ok === 0 || ok === 1) &&
    (error === null || errors.has(error)) &&
    (height === null || isCount(height)) &&
    (timestamp === null || isCount(timestamp)) &&
    (hash === null || isHash(hash)) &&
    isCount(rttMs) &&
    isCount(offsetMs)
  )
}
