import * as z from 'zod/mini'

import { ConnectionForm } from '../../shared/connections.ts'
import { issueErrors } from '../forms/field-errors.ts'
import type { FormReading } from '../forms/field-errors.ts'

/** A new connection as it is typed. */
export interface ConnectionDraft {
  serviceId: string
  secret: string
  headerName: string
  label: string
}

export const draftFor = (serviceId: string): ConnectionDraft => ({
  serviceId,
  secret: '',
  headerName: '',
  label: '',
})

export const draftFields = ['serviceId', 'secret', 'headerName', 'label'] as const

/** What is missing gets a sentence of its own; the rest is told as the schema has it. */
export function readConnectionDraft({
  serviceId,
  secret,
  headerName,
  label,
}: ConnectionDraft): FormReading<ConnectionForm> {
  const missing = {
    ...(serviceId === '' && { serviceId: 'Choose a tool server.' }),
    ...(secret.trim() === '' && { secret: 'Enter your token or key.' }),
  }
  if (Object.keys(missing).length > 0) return { kind: 'wrong', errors: missing }
  const read = z.safeParse(ConnectionForm, {
    serviceId,
    secret,
    headerName: headerName.trim() === '' ? null : headerName,
    label: label.trim() === '' ? null : label,
  })
  if (read.success) return { kind: 'value', value: read.data }
  return { kind: 'wrong', errors: issueErrors(read.error.issues, draftFields) }
}
