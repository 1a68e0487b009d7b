import * as z from 'zod/mini'

import {
  VirtualServerSave,
  type VirtualMember,
  type VirtualServerSpec,
} from '../../shared/virtual-servers.ts'
import type { FormReading } from '../forms/field-errors.ts'
import { asSentence } from '../ui/sentence.ts'

/** A virtual server as it is typed. */
export interface VirtualServerDraft {
  name: string
  title: string
  instructions: string
  mode: VirtualServerSpec['mode']
  members: VirtualMember[]
}

export const virtualServerFields = ['name', 'title', 'instructions', 'members'] as const

export const draftOfServer = (spec: VirtualServerSpec | null): VirtualServerDraft => ({
  name: spec?.name ?? '',
  title: spec?.title ?? '',
  instructions: spec?.instructions ?? '',
  mode: spec?.mode ?? 'all',
  members: (spec?.members ?? []).map((member) => ({ ...member, tools: [...member.tools] })),
})

/** A member that can be added: a saved connection, a tool server without credentials, or the gateway. */
export interface MemberChoice {
  /** `connection:<id>`, `service:<chain>:<id>` or `gateway`. */
  readonly value: string
  readonly label: string
}

export function memberOfChoice(value: string): VirtualMember {
  const common = { prefix: '', others: 'allow', tools: [] } as const
  if (value === 'gateway') return { ...common, gateway: true, tools: [] }
  const [kind = '', ...rest] = value.split(':')
  if (kind === 'connection') return { ...common, connection: rest.join(':'), tools: [] }
  const [chain = '', ...service] = rest
  return { ...common, service: service.join(':'), chain, tools: [] }
}

/** The id under which the playground lists the tools of a member; null for the gateway, whose tools are known. */
export function connectionOfMember({ connection, service, chain }: VirtualMember): string | null {
  if (connection !== undefined) return connection
  return service === undefined || chain === undefined ? null : `public::${chain}::${service}`
}

/** Whether a tool of a member is there. */
export const isToolAllowed = ({ tools, others }: VirtualMember, tool: string): boolean =>
  tools.find((rule) => rule.tool === tool)?.allow ?? others === 'allow'

/** Lets a tool in or leaves it out, and keeps whatever else its rule says. */
export function withToolAllowed(member: VirtualMember, tool: string, allow: boolean): VirtualMember {
  const known = member.tools.find((rule) => rule.tool === tool)
  const rest = member.tools.filter((rule) => rule.tool !== tool)
  return { ...member, tools: [...rest, { ...known, tool, allow }] }
}

/** What is missing gets a sentence of its own; the rest is told as the schema has it. */
export function readServerDraft(
  { name, title, instructions, mode, members }: VirtualServerDraft,
  isNew: boolean,
): FormReading<VirtualServerSave> {
  const missing = {
    ...(name.trim() === '' && { name: 'Enter a name, which is the end of its address.' }),
    ...(members.length === 0 && { members: 'Add at least one member.' }),
  }
  const read = z.safeParse(VirtualServerSave, {
    isNew,
    spec: {
      name: name.trim(),
      ...(title.trim() !== '' && { title }),
      ...(instructions.trim() !== '' && { instructions }),
      mode,
      members,
    },
  })
  if (read.success && Object.keys(missing).length === 0) return { kind: 'value', value: read.data }
  const issues = read.error?.issues ?? []
  const wrong = issues.map(({ path, message }) => [String(path[1] ?? path[0]), asSentence(message)])
  return { kind: 'wrong', errors: { ...Object.fromEntries(wrong), ...missing } }
}
