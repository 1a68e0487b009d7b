import * as z from 'zod/mini'

import { ToolPolicyTest } from '../../shared/tool-policies.ts'
import { issueErrors } from '../forms/field-errors.ts'
import type { FormReading } from '../forms/field-errors.ts'
import { readJsonArgument } from '../gateway/tool-form.ts'

/** A call that is tried out, as it is typed. */
export interface PolicyTrial {
  /** A connection's id, or a service of the registry; empty: none is chosen. */
  server: string
  tool: string
  /** As JSON; empty: none. */
  args: string
  /** Empty: no key or agent in particular. */
  keyId: string
  isReadOnly: boolean
}

export const newPolicyTrial = (): PolicyTrial => ({
  server: '',
  tool: '',
  args: '',
  keyId: '',
  isReadOnly: false,
})

export const policyTrialFields = ['server', 'tool', 'arguments', 'keyId'] as const

interface TriedServer {
  readonly id: string
  readonly kind: string
  readonly serviceId: string
}

export function readPolicyTrial(
  { tool, args, keyId, isReadOnly }: PolicyTrial,
  server: TriedServer | undefined,
): FormReading<ToolPolicyTest> {
  const given = readJsonArgument(args)
  const read = z.safeParse(ToolPolicyTest, {
    serviceId: server?.serviceId ?? '-',
    ...(server?.kind === 'saved' && { connectionId: server.id }),
    ...(keyId !== '' && { keyId }),
    tool: tool.trim(),
    arguments: typeof given === 'string' ? {} : given,
    isReadOnly,
  })
  const errors = {
    ...(read.success ? {} : issueErrors(read.error.issues, policyTrialFields)),
    ...(server === undefined && { server: 'Choose a tool server.' }),
    ...(typeof given === 'string' && { arguments: given }),
  }
  return read.success && Object.keys(errors).length === 0
    ? { kind: 'value', value: read.data }
    : { kind: 'wrong', errors }
}
