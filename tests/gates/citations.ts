import ts from 'typescript'

import type { Requirement } from '../requirements/requirement.ts'
import { lineOf, type SourceFile } from './source-file.ts'

export interface Citation {
  id: string
  file: string
  line: number
}

export interface Coverage {
  /** Cited ids that no requirement has. */
  unknown: Citation[]
  /** Requirements of finished issues that no test cites. */
  missing: Requirement[]
  /** Requirements of issues still to be built that no test cites yet. */
  open: Requirement[]
}

/** Compares what tests cite with what the specification asks. `builtThrough` is the latest finished issue. */
export function coverageOf(
  requirements: readonly Requirement[],
  citations: readonly Citation[],
  builtThrough: number,
): Coverage {
  const known = new Set(requirements.map((requirement) => requirement.id))
  const cited = new Set(citations.map((citation) => citation.id))
  const uncited = requirements.filter((requirement) => !cited.has(requirement.id))
  return {
    unknown: citations.filter((citation) => !known.has(citation.id)),
    missing: uncited.filter((requirement) => requirement.issue <= builtThrough),
    open: uncited.filter((requirement) => requirement.issue > builtThrough),
  }
}

const threatId = /^threat-(\d+)$/

/** The behaviours that tests name by `covers('some-id')` in their body. A test that is skipped or still to do shows nothing. */
export const findCitations = (files: readonly SourceFile[]): Citation[] =>
  allCitations(files).filter(({ id }) => !threatId.test(id))

/** The numbers of the threats that tests name by `covers('threat-4')`. */
export function findThreats(files: readonly SourceFile[]): Set<number> {
  const numbers = allCitations(files).map(({ id }) => Number(threatId.exec(id)?.[1]))
  return new Set(numbers.filter((number) => !Number.isNaN(number)))
}

const allCitations = (files: readonly SourceFile[]): Citation[] =>
  files.filter((file) => file.path.endsWith('.test.ts')).flatMap((file) => citedBelow(file, file.syntax))

function citedBelow(file: SourceFile, node: ts.Node): Citation[] {
  if (ts.isCallExpression(node)) {
    if (isSkippedTest(node)) return []
    if (node.expression.getText() === 'covers') return citedBy(file, node)
  }
  const citations: Citation[] = []
  ts.forEachChild(node, (child) => void citations.push(...citedBelow(file, child)))
  return citations
}

const citedBy = (file: SourceFile, call: ts.CallExpression): Citation[] =>
  call.arguments
    .filter(ts.isStringLiteralLike)
    .map(({ text }) => ({ id: text, file: file.path, line: lineOf(file.syntax, call) }))

/** `skipIf` is not among them: such a test runs where it can. */
const isSkippedTest = (node: ts.CallExpression): boolean =>
  /^(?:test|it|describe)\.(?:skip|todo)$/.test(node.expression.getText())
