import { findingKinds } from './finding-words.ts'
import type { ListedTools, ServerChanges, Tool, ListedFinding } from './gateway-queries.ts'
import { lineDiff } from './line-diff.ts'
import type { DiffLine } from './line-diff.ts'
import { visibleJson } from './visible-json.ts'

/** A tool that is not what was accepted. */
export interface ToolChange {
  readonly name: string
  /** `unknown`: it was another one, and what it was was not kept. */
  readonly kind: 'changed' | 'new' | 'removed' | 'unknown'
  readonly findings: readonly ListedFinding[]
  readonly lines: readonly DiffLine[]
}

/** Null where there is none, or it was not kept. */
interface SeenTool {
  readonly name: string
  readonly before?: unknown
  readonly after?: unknown
  readonly findings: readonly ListedFinding[]
}

/** A tool that is not as it was accepted, in the list of the console or in one that other callers get. */
interface AcceptedTool {
  readonly name: string
  readonly isNew: boolean
  /** Null: there is none, or it was not kept. */
  readonly definition?: unknown
  readonly now?: unknown
  readonly findings: readonly ListedFinding[]
}

/** What is shown of a tool that is new, another one, or gone. */
function changeOf(
  { name, before, after, findings }: SeenTool,
  became: 'changed' | 'new' | 'removed',
): ToolChange {
  if (became === 'removed') return { name, kind: became, findings: [], lines: linesOf(before, 'removed') }
  if (became === 'new' || before === null)
    return { name, kind: became === 'new' ? 'new' : 'unknown', findings, lines: linesOf(after, 'same') }
  return { name, kind: 'changed', findings, lines: lineDiff(visibleJson(before), visibleJson(after)) }
}

/** What is new or another in the tools of a public tool server, and then what is gone. */
export const serverChanges = ({ tools, removedTools }: ServerChanges): ToolChange[] =>
  tools.map((tool) =>
    changeOf(tool, removedTools.includes(tool.name) ? 'removed' : tool.isNew ? 'new' : 'changed'),
  )

/** What is new or another, in the list of the console and then in those of others, and at the end what is gone. */
export function toolChanges(
  { tools, removed }: Pick<ListedTools, 'tools' | 'removed'>,
  accepted: readonly AcceptedTool[],
): ToolChange[] {
  const known = accepted.filter(({ isNew }) => !isNew)
  const before = new Map(known.map(({ name, definition }) => [name, definition]))
  const changedHere = tools.filter((tool) => tool.changed)
  const changed = changedHere.map(({ definition, findings }) => {
    const { name } = definition
    const seen = { name, before: before.get(name) ?? null, after: definition, findings }
    return changeOf(seen, before.has(name) ? 'changed' : 'new')
  })
  const shown = new Map(changedHere.map(({ definition }) => [definition.name, JSON.stringify(definition)]))
  const elsewhere = accepted
    .filter(({ name, now }) => !removed.includes(name) && !isShown(shown.get(name), now ?? null))
    .map(({ definition, now, isNew, ...tool }) =>
      changeOf({ ...tool, before: definition ?? null, after: now ?? null }, isNew ? 'new' : 'changed'),
    )
  const gone = removed.map((name) =>
    changeOf({ name, before: before.get(name) ?? null, after: null, findings: [] }, 'removed'),
  )
  return [...changed, ...elsewhere, ...gone]
}

/** What was not kept is another one only where none of that name is shown. */
const isShown = (shown: string | undefined, now: unknown): boolean =>
  shown !== undefined && (now === null || JSON.stringify(now) === shown)

const linesOf = (definition: unknown, kind: DiffLine['kind']): DiffLine[] =>
  definition === null
    ? []
    : visibleJson(definition)
        .split('\n')
        .map((text) => ({ kind, text }))

/** Tools that are as they were accepted, and in which something was found that people should read. */
export const unchangedWithFindings = ({ tools }: Pick<ListedTools, 'tools'>): Tool[] =>
  tools.filter(({ changed, findings }) => !changed && findingKinds(findings).length > 0)
