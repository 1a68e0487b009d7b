import * as z from 'zod/mini'

import {
  VirtualServerSave,
  type VirtualMember,
  type VirtualServerSpec,
  type VirtualToolRule,
} from '../../shared/virtual-servers.ts'
import { type FormReading, specErrors } from '../forms/field-errors.ts'

/** A member as it is typed: with the fixed arguments of its tools as text, by the name of the tool. */
export type MemberDraft = VirtualMember & { readonly argumentTexts: Readonly<Record<string, string>> }

/** A virtual server as it is typed. */
export interface VirtualServerDraft {
  name: string
  title: string
  instructions: string
  mode: VirtualServerSpec['mode']
  members: MemberDraft[]
}

export const virtualServerFields = ['name', 'title', 'instructions', 'members'] as const

export const draftOfServer = (spec: VirtualServerSpec | null): VirtualServerDraft => ({
  name: spec?.name ?? '',
  title: spec?.title ?? '',
  instructions: spec?.instructions ?? '',
  mode: spec?.mode ?? 'all',
  members: (spec?.members ?? []).map((member) => ({
    ...member,
    tools: [...member.tools],
    argumentTexts: Object.fromEntries(
      member.tools.flatMap(({ tool, arguments: fixed }) =>
        fixed === undefined ? [] : [[tool, JSON.stringify(fixed, null, 2)]],
      ),
    ),
  })),
})

/** A member that can be added: a saved connection, a tool server without credentials, or the gateway. */
export interface MemberChoice {
  /** `connection:<id>`, `service:<chain>:<id>` or `gateway`. */
  readonly value: string
  readonly label: string
}

export function memberOfChoice(value: string): MemberDraft {
  const common = { prefix: '', others: 'allow', tools: [], argumentTexts: {} } satisfies MemberDraft
  if (value === 'gateway') return { ...common, gateway: true }
  const [kind = '', ...rest] = value.split(':')
  if (kind === 'connection') return { ...common, connection: rest.join(':') }
  const [chain = '', ...service] = rest
  return { ...common, service: service.join(':'), chain }
}

/** The id under which the playground lists the tools of a member; null for the gateway, whose tools are known. */
export function connectionOfMember({ connection, service, chain }: VirtualMember): string | null {
  if (connection !== undefined) return connection
  return service === undefined || chain === undefined ? null : `public::${chain}::${service}`
}

/** Whether a tool of a member is there. */
export const isToolAllowed = ({ tools, others }: VirtualMember, tool: string): boolean =>
  tools.find((rule) => rule.tool === tool)?.allow ?? others === 'allow'

export const ruleOf = ({ tools }: VirtualMember, tool: string): VirtualToolRule | undefined =>
  tools.find((rule) => rule.tool === tool)

/** What can be different for a tool, as it is typed; what is empty is as the tool server has it. */
type RuleChange = Partial<Record<'rename' | 'description', string> & { allow: boolean }>

/** Changes the rule of a tool in its place, and keeps whatever else it says. */
export function withRule(member: MemberDraft, tool: string, change: RuleChange): MemberDraft {
  const { rename, description, ...known } = {
    ...(ruleOf(member, tool) ?? { tool, allow: isToolAllowed(member, tool) }),
    ...change,
  }
  const rule: VirtualToolRule = {
    ...known,
    ...(rename !== undefined && rename !== '' && { rename }),
    ...(description !== undefined && description !== '' && { description }),
  }
  const isKnown = ruleOf(member, tool) !== undefined
  const tools = isKnown
    ? member.tools.map((one) => (one.tool === tool ? rule : one))
    : [...member.tools, rule]
  return { ...member, tools }
}

/** Types the fixed arguments of a tool; they are read when the form is sent. */
export const withArguments = (member: MemberDraft, tool: string, typed: string): MemberDraft => ({
  ...withRule(member, tool, {}),
  argumentTexts: { ...member.argumentTexts, [tool]: typed },
})

/** Whether clients see the tool otherwise than its tool server has it. */
export function isChangedTool(member: MemberDraft, tool: string): boolean {
  const { rename, description } = ruleOf(member, tool) ?? {}
  return rename !== undefined || description !== undefined || (member.argumentTexts[tool] ?? '').trim() !== ''
}

/** The tools of a member: those that it lists, and those that have a rule although they are not listed now. */
export const toolsOfMember = ({ tools }: VirtualMember, listed: readonly string[]): string[] => [
  ...new Set([...listed, ...tools.map(({ tool }) => tool)]),
]

/** Says what is wrong with the fixed arguments of a tool as they are typed; an empty text for nothing. */
export const argumentsProblem = ({ argumentTexts }: MemberDraft, tool: string): string =>
  fixedArguments(argumentTexts[tool] ?? '') === null ? 'Expected a JSON object, as {"limit": 10}.' : ''

/** Undefined: none. Null: it is no JSON object. */
function fixedArguments(typed: string): VirtualToolRule['arguments'] | null {
  if (typed.trim() === '') return undefined
  try {
    const read: unknown = JSON.parse(typed)
    return typeof read === 'object' && read !== null && !Array.isArray(read) ? { ...read } : null
  } catch (error) {
    if (error instanceof SyntaxError) return null
    throw error
  }
}

function memberOfDraft({ argumentTexts, ...member }: MemberDraft): VirtualMember {
  const tools = member.tools.map((rule) => ({
    ...rule,
    arguments: fixedArguments(argumentTexts[rule.tool] ?? '') ?? undefined,
  }))
  return { ...member, tools }
}

/** What is missing gets a sentence of its own; the rest is told as the schema has it. */
export function readServerDraft(
  { name, title, instructions, mode, members }: VirtualServerDraft,
  isNew: boolean,
): FormReading<VirtualServerSave> {
  const missing = {
    ...(name.trim() === '' && { name: 'Enter a name, which is the end of its address.' }),
    ...(members.length === 0 && { members: 'Add at least one member.' }),
    ...wrongArguments(members),
  }
  const read = z.safeParse(VirtualServerSave, {
    isNew,
    spec: {
      name: name.trim(),
      ...(title.trim() !== '' && { title }),
      ...(instructions.trim() !== '' && { instructions }),
      mode,
      members: members.map(memberOfDraft),
    },
  })
  if (read.success && Object.keys(missing).length === 0) return { kind: 'value', value: read.data }
  const wrong = specErrors(read.error?.issues ?? [], virtualServerFields)
  return { kind: 'wrong', errors: { ...wrong, ...missing } }
}

function wrongArguments(members: readonly MemberDraft[]): { readonly members?: string } {
  const wrong = members.flatMap((member) =>
    member.tools.flatMap(({ tool }) => (argumentsProblem(member, tool) === '' ? [] : [tool])),
  )
  return wrong.length === 0
    ? {}
    : { members: `The fixed arguments of ${wrong.join(', ')} are no JSON object.` }
}
