import { type Fields, fieldsOf } from '../../shared/fields.ts'
import type { VirtualMember, VirtualServerSpec, VirtualToolRule } from '../../shared/virtual-servers.ts'
import type { ListedTool, ToolSource } from '../connections/connections.ts'

/** A tool definition as clients see it. */
export type ExposedDefinition = ListedTool['definition']

/** The tools of one member, as far as they are known. */
export interface MemberTools {
  /** Empty until it has answered once. */
  readonly tools: readonly ListedTool[]
  /** Where its tools are; null for the gateway's own, and until it has answered once. */
  readonly source: ToolSource | null
  /** Null while it answers; otherwise why it does not. */
  readonly away: string | null
}

/** One tool of a virtual server. */
export interface ExposedTool {
  /** The definition that clients see: renamed, described and without the fixed arguments. */
  readonly definition: ExposedDefinition
  /** The index of its member, and what that calls the tool. */
  readonly member: number
  readonly tool: string
  readonly listed: ListedTool
  readonly fixed: Readonly<Record<string, unknown>>
  readonly isAway: boolean
  readonly changed: boolean
  /** True when its own name was taken by another tool. */
  readonly isRenamed: boolean
}

interface Candidate extends Pick<ExposedTool, 'member' | 'tool' | 'listed' | 'isAway' | 'changed'> {
  readonly rule: VirtualToolRule | undefined
  readonly wanted: string
}

/** Two tools that want the same name. */
export interface NameCollision {
  readonly name: string
  readonly first: Pick<ExposedTool, 'member' | 'tool'>
  readonly second: Pick<ExposedTool, 'member' | 'tool'>
}

/**
 * Assembles the tools of a virtual server in the order of its members. Where two tools want one name, a name that a rule
 * gives comes first, then the tool whose definition is the accepted one: a tool server that adds a tool later cannot take
 * the calls of another. The loser gets the number of its member behind its name.
 */
export function exposeTools(
  spec: VirtualServerSpec,
  members: readonly MemberTools[],
): { readonly tools: readonly ExposedTool[]; readonly collisions: readonly NameCollision[] } {
  const candidates = spec.members.flatMap((member, index) => candidatesOf(member, index, members[index]))
  const names = new Map<string, Candidate>()
  const losers: Candidate[] = []
  for (const candidate of candidates.toSorted((one, other) => rankOf(one) - rankOf(other))) {
    if (names.has(candidate.wanted)) losers.push(candidate)
    else names.set(candidate.wanted, candidate)
  }
  const collisions = losers.flatMap((second) => {
    const first = names.get(second.wanted)
    return first === undefined ? [] : [{ name: second.wanted, first, second }]
  })
  for (const loser of losers) {
    const name = `${loser.wanted.slice(0, maxNameChars - numberChars)}_${loser.member + 1}`
    if (!names.has(name)) names.set(name, loser) // else it is left out
  }
  const nameOf = new Map([...names].map(([name, candidate]) => [candidate, name]))
  const tools = candidates.flatMap((candidate) => {
    const name = nameOf.get(candidate)
    return name === undefined ? [] : [exposed(candidate, name)]
  })
  return { tools, collisions }
}

const rankOf = ({ rule, changed }: Candidate): number => (rule?.rename !== undefined ? 0 : changed ? 2 : 1)

const maxNameChars = 128
const numberChars = 3

/** Clients and models take these characters only; what a tool server uses besides becomes an underscore. */
const usableName = (name: string): string => name.replace(/[^A-Za-z0-9_.-]/g, '_').slice(0, maxNameChars)

function candidatesOf(member: VirtualMember, index: number, known: MemberTools | undefined): Candidate[] {
  const rules = new Map(member.tools.map((rule) => [rule.tool, rule]))
  return (known?.tools ?? []).flatMap((listed) => {
    const { name } = listed.definition
    const rule = rules.get(name)
    if (!(rule?.allow ?? member.others === 'allow')) return []
    const wanted = rule?.rename ?? usableName(`${member.prefix}${name}`)
    const isAway = known?.away !== null
    return [{ listed, rule, wanted, member: index, tool: name, isAway, changed: listed.changed }]
  })
}

function exposed(
  { listed, rule, wanted, member, tool, isAway, changed }: Candidate,
  name: string,
): ExposedTool {
  const fixed = rule?.arguments ?? {}
  const { definition } = listed
  const inputSchema = withoutArguments(definition.inputSchema, fixed)
  return {
    definition: {
      ...definition,
      name,
      ...(rule?.description !== undefined && { description: rule.description }),
      ...(inputSchema !== undefined && { inputSchema }),
      ...marksOf(listed),
    },
    member,
    tool,
    listed,
    fixed,
    isAway,
    changed,
    isRenamed: name !== wanted,
  }
}

/** What an agent is told of a definition besides what its server says, under our own prefix. */
const marksOf = ({ definition, changed, warnings }: ListedTool) =>
  (changed || warnings.length > 0) && {
    _meta: {
      ...fieldsOf(definition._meta),
      ...(changed && { 'gatehouse/tool_changed': true }),
      ...(warnings.length > 0 && { 'gatehouse/warnings': warnings }),
    },
  }

/** Removes the fixed arguments from a schema, so that no model is asked for them. */
export function withoutArguments(schema: unknown, fixed: Fields): unknown {
  const names = new Set(Object.keys(fixed))
  if (names.size === 0 || typeof schema !== 'object' || schema === null) return schema
  const { properties, required, ...rest } = fieldsOf(schema)
  const left = Object.entries(fieldsOf(properties)).filter(([name]) => !names.has(name))
  const needed = Array.isArray(required) ? required.filter((name) => !names.has(String(name))) : []
  return {
    ...rest,
    ...(properties !== undefined && { properties: Object.fromEntries(left) }),
    ...(needed.length > 0 && { required: needed }),
  }
}
