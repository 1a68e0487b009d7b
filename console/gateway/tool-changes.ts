import { findingKinds } from './finding-words.ts'
import type { ListedTools, Tool, ListedFinding } from './gateway-queries.ts'
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

interface AcceptedTool {
  readonly name: string
  /** Null: it was not kept. */
  readonly definition?: unknown
}

/** What is new or another, and then what is gone. */
export function toolChanges(
  { tools, removed }: Pick<ListedTools, 'tools' | 'removed'>,
  accepted: readonly AcceptedTool[],
): ToolChange[] {
  const before = new Map(accepted.map(({ name, definition }) => [name, definition]))
  const changed = tools
    .filter((tool) => tool.changed)
    .map(({ definition, findings }): ToolChange => {
      const { name } = definition
      const now = visibleJson(definition)
      const old = before.get(name) ?? null
      if (old !== null) return { name, kind: 'changed', findings, lines: lineDiff(visibleJson(old), now) }
      const lines = now.split('\n').map((text) => ({ kind: 'same' as const, text }))
      return { name, kind: before.has(name) ? 'unknown' : 'new', findings, lines }
    })
  const gone = removed.map((name): ToolChange => ({
    name,
    kind: 'removed',
    findings: [],
    lines: linesOf(before.get(name) ?? null),
  }))
  return [...changed, ...gone]
}

const linesOf = (definition: unknown): DiffLine[] =>
  definition === null
    ? []
    : visibleJson(definition)
        .split('\n')
        .map((text) => ({ kind: 'removed', text }))

/** Tools that are as they were accepted, and in which something was found that people should read. */
export const unchangedWithFindings = ({ tools }: Pick<ListedTools, 'tools'>): Tool[] =>
  tools.filter(({ changed, findings }) => !changed && findingKinds(findings).length > 0)
