import type { Tool } from '@modelcontextprotocol/server'

import { CallToolInput, ReadToolInput, SearchToolsInput } from '../../../shared/virtual-servers.ts'
import type { ExposedTool, ToolSetSnapshot } from '../../virtual-servers/virtual-servers.ts'
import { findServices } from '../next-actions.ts'
import type { RunNamedTool } from '../tool-set.ts'
import { readToolArguments } from '../tool-result.ts'
import { inputSchemaOf } from '../tools/json-schemas.ts'
import { plainAnswer, plainRefusal } from './plain-result.ts'

const reads = { readOnlyHint: true, openWorldHint: false }

/** The tools of a searchable virtual server: a list of any length costs an agent these three. */
export const searchingDefinitions = [
  {
    name: 'search_tools',
    title: 'Search tools',
    description:
      'Finds tools of this server by what they do, the best first, with their arguments (* required). Without a query it lists all.',
    inputSchema: inputSchemaOf(SearchToolsInput),
    annotations: reads,
  },
  {
    name: 'read_tool',
    title: 'Read a tool',
    description: 'Returns the whole definition of one tool: description, input schema, annotations.',
    inputSchema: inputSchemaOf(ReadToolInput),
    annotations: reads,
  },
  {
    name: 'call_tool',
    title: 'Call a tool',
    description: 'Calls one tool and returns its result as it is.',
    inputSchema: inputSchemaOf(CallToolInput),
    annotations: { readOnlyHint: false, openWorldHint: true },
  },
] as const satisfies readonly Tool[]

type SearchingName = (typeof searchingDefinitions)[number]['name']

const isSearchingName = (name: string): name is SearchingName =>
  searchingDefinitions.some((definition) => definition.name === name)

/** Returns what runs one of the three tools; undefined for any other name. */
export function findSearchingTool(name: string, searched: Searched): RunNamedTool | undefined {
  return isSearchingName(name) ? (given, call) => runners[name](given, call, searched) : undefined
}

interface Searched {
  readonly snapshot: ToolSetSnapshot
  /** Returns the definition with what clients are told of it. */
  readonly definitionOf: (tool: ExposedTool) => ExposedTool['definition']
  readonly runnerOf: (tool: ExposedTool) => RunNamedTool
}

type RunSearchingTool = (
  given: Parameters<RunNamedTool>[0],
  call: Parameters<RunNamedTool>[1],
  searched: Searched,
) => ReturnType<RunNamedTool>

const runners: Readonly<Record<SearchingName, RunSearchingTool>> = {
  search_tools(given, _call, { snapshot, definitionOf }) {
    const read = readToolArguments(SearchToolsInput, given, unused)
    if (!read.ok) return plainRefusal('invalid_arguments', read.refused.message)
    const { query = '', limit, offset } = read.value
    const found = snapshot.search(query)
    const end = offset + limit
    return plainAnswer({
      tools: found.slice(offset, end).map((tool) => shortTool(tool, definitionOf(tool))),
      total: found.length,
      next_offset: end < found.length ? end : null,
    })
  },

  read_tool(given, _call, { snapshot, definitionOf }) {
    const read = readToolArguments(ReadToolInput, given, unused)
    if (!read.ok) return plainRefusal('invalid_arguments', read.refused.message)
    const tool = snapshot.byName.get(read.value.name)
    return tool === undefined ? noSuchTool() : plainAnswer({ tool: definitionOf(tool) })
  },

  call_tool(given, call, { snapshot, runnerOf }) {
    const read = readToolArguments(CallToolInput, given, unused)
    if (!read.ok) return plainRefusal('invalid_arguments', read.refused.message)
    const tool = snapshot.byName.get(read.value.name)
    return tool === undefined ? noSuchTool() : runnerOf(tool)(read.value.arguments ?? {}, call)
  },
}

/** A virtual server's refusals name no next actions, but reading arguments wants some. */
const unused = [findServices] as const

const noSuchTool = () =>
  plainRefusal('invalid_arguments', 'There is no tool of that name here: search_tools finds those that are')

const maxDescriptionChars = 200

/** Returns what is needed to choose a tool, and often to call it. */
function shortTool(
  { changed }: ExposedTool,
  { name, description, inputSchema, _meta: meta }: ExposedTool['definition'],
) {
  const denied: unknown = Object(meta)['gatehouse/denied']
  return {
    name,
    description: typeof description === 'string' ? shortened(description) : '',
    arguments: argumentsOf(inputSchema).join(' '),
    ...(changed && { changed }),
    ...(denied !== undefined && { denied }),
  }
}

const shortened = (text: string): string =>
  text.length <= maxDescriptionChars ? text : `${text.slice(0, maxDescriptionChars - 1)}…`

function argumentsOf(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null || !('properties' in schema)) return []
  const { properties } = schema
  const required: readonly unknown[] =
    'required' in schema && Array.isArray(schema.required) ? schema.required : []
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : []
  return names
    .toSorted((one, other) => Number(required.includes(other)) - Number(required.includes(one)))
    .map((name) => (required.includes(name) ? `${name}*` : name))
}
