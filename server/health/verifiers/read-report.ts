import * as z from 'zod/mini'

import { latestInstant } from '../../../shared/instants.ts'
import { serviceIdPattern } from '../../../shared/health.ts'
import { ReportBatch, Round, protocolLimits, probeErrors } from '../../../shared/verifier-protocol.ts'
import type { ObservationRow } from '../../../shared/verifier-protocol.ts'
import { fault } from '../../platform/fault.ts'
import { parseJson } from '../../platform/json.ts'
import { describeInvalid } from '../../platform/validation-text.ts'

const isServiceId = (value: unknown): value is string =>
  typeof value === 'string' && serviceIdPattern.test(value)

/** The error of the first try is left out where the probe was made once, and by older verifiers. */
const rowLengths: ReadonlySet<number> = new Set([8, 9])
const hashPattern = /^[0-9a-f]{16}$/
const errors: ReadonlySet<unknown> = new Set(probeErrors)

const isCount = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0
const isMillis = (value: unknown): boolean => isCount(value) && (value as number) <= latestInstant
const isHash = (value: unknown): boolean => typeof value === 'string' && hashPattern.test(value)

/** Accepts the same values as the schema `ObservationRow`, in a fiftieth of the time: verifiers send 20,000 rows a second. */
export function isObservationRow(value: unknown): value is ObservationRow {
  if (!Array.isArray(value) || !rowLengths.has(value.length)) return false
  const [service, ok, error, height, timestamp, hash, rttMs, offsetMs, firstError = null]: unknown[] = value
  return (
    isCount(service) &&
    (ok === 0 || ok === 1) &&
    (error === null || errors.has(error)) &&
    (height === null || isCount(height)) &&
    (timestamp === null || isCount(timestamp)) &&
    (hash === null || isHash(hash)) &&
    isMillis(rttMs) &&
    isMillis(offsetMs) &&
    (firstError === null || errors.has(firstError))
  )
}

const listOf = <Item>(isItem: (value: unknown) => value is Item) =>
  z.custom<Item[]>((value) => Array.isArray(value) && value.every(isItem))

/** Accepts the same batches as `ReportBatch`, but checks ids and rows by hand, because there are thousands a second. */
const Batch = z.extend(ReportBatch, {
  services: listOf(isServiceId).check(z.maxLength(protocolLimits.observationsPerBatch)),
  rounds: z
    .array(z.extend(Round, { obs: listOf(isObservationRow) }))
    .check(z.maxLength(protocolLimits.observationsPerBatch)),
})

/** Reads a batch from its raw JSON. Faults: `bad_request` for invalid JSON, `invalid_request` naming the field. */
export function readReport(body: Uint8Array, signedBy: string): ReportBatch {
  const json = parseJson(body)
  if (json === undefined) throw fault('bad_request', 'the body is not JSON')
  const parsed = Batch.safeParse(json)
  if (!parsed.success) throw fault('invalid_request', describeInvalid(ReportBatch, json, 'body'))
  const batch = parsed.data
  if (batch.verifierId !== signedBy)
    throw fault('invalid_request', 'verifierId: not the verifier that signed')
  let observations = 0
  for (const [index, { obs, checkpoint }] of batch.rounds.entries()) {
    observations += obs.length
    const pointsPast = ([service]: readonly [number, ...unknown[]]) => service >= batch.services.length
    if (obs.some(pointsPast))
      throw fault('invalid_request', `rounds[${index}].obs: an index points past services`)
    if (checkpoint?.hashes.some(pointsPast)) {
      throw fault('invalid_request', `rounds[${index}].checkpoint: an index points past services`)
    }
  }
  if (observations > protocolLimits.observationsPerBatch) {
    throw fault(
      'invalid_request',
      `rounds: at most ${protocolLimits.observationsPerBatch} observations in a batch`,
    )
  }
  return batch
}
