import type { ListedTool } from '../../connections/connections.ts'

/** Which tools of a server are asked for. */
export interface ToolSelection {
  readonly query?: string | undefined
  readonly names_only?: boolean | undefined
  readonly tool_name?: string | undefined
  /** The offset of the page, as text. */
  readonly cursor?: string | undefined
}

export interface ToolPage {
  readonly tools: readonly ListedTool[]
  /** All tools that match, on this page and others. */
  readonly total: number
  readonly nextCursor: string | null
}

/** Definitions take some hundred tokens each, names a few. */
const perPage = { definitions: 50, names: 500 } as const

/** Selects the tools that have every word of the query, in the order of the server, and returns one page of them. */
export function toolPage(tools: readonly ListedTool[], question: ToolSelection): ToolPage {
  const { query = '', names_only: namesOnly = false, tool_name: name, cursor = '0' } = question
  const words = query.toLowerCase().split(/\s+/).filter(Boolean)
  const matching = tools.filter(
    ({ definition }) => (name === undefined || definition.name === name) && hasAll(definition, words),
  )
  const offset = Number(cursor)
  const end = offset + (namesOnly ? perPage.names : perPage.definitions)
  return {
    tools: matching.slice(offset, end),
    total: matching.length,
    nextCursor: end < matching.length ? String(end) : null,
  }
}

function hasAll(definition: ListedTool['definition'], words: readonly string[]): boolean {
  if (words.length === 0) return true
  const { name, title, description } = definition
  const text = [name, title, description]
    .filter((part) => typeof part === 'string')
    .join('\n')
    .toLowerCase()
  return words.every((word) => text.includes(word))
}

/** Says how many tools of a server are in no list; nothing where there are none. */
export const leftOutNotice = (leftOut: number): Readonly<Record<string, unknown>> =>
  leftOut === 0 ? {} : { tools_left_out: leftOut, left_out_because: leftOutBecause }

const leftOutBecause =
  'The server defines these tools without a name, larger than the gateway takes, or against the protocol, so they cannot be listed.'
