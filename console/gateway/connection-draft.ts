import * as z from 'zod/mini'

import { ConnectionForm, type SavedAuth } from '../../shared/connections.ts'
import { issueErrors } from '../forms/field-errors.ts'
import type { FormReading } from '../forms/field-errors.ts'

/** A new connection as it is typed. */
export interface ConnectionDraft {
  serviceId: string
  auth: SavedAuth
  secret: string
  headerName: string
  label: string
}

export const draftFor = (serviceId: string): ConnectionDraft => ({
  serviceId,
  auth: 'secret',
  secret: '',
  headerName: '',
  label: '',
})

export const draftFields = ['serviceId', 'secret', 'headerName', 'label'] as const

/** What is missing gets a sentence of its own; the rest is told as the schema has it. */
export function readConnectionDraft({
  serviceId,
  auth,
  secret,
  headerName,
  label,
}: ConnectionDraft): FormReading<ConnectionForm> {
  const isSecret = auth === 'secret'
  const missing = {
    ...(serviceId === '' && { serviceId: 'Choose a tool server.' }),
    ...(isSecret && secret.trim() === '' && { secret: 'Enter your token or key.' }),
  }
  if (Object.keys(missing).length > 0) return { kind: 'wrong', errors: missing }
  const read = z.safeParse(ConnectionForm, {
    serviceId,
    auth,
    secret: isSecret ? secret : null,
    headerName: isSecret && headerName.trim() !== '' ? headerName : null,
    label: label.trim() === '' ? null : label,
  })
  if (read.success) return { kind: 'value', value: read.data }
  return { kind: 'wrong', errors: issueErrors(read.error.issues, draftFields) }
}
