import ts from 'typescript'

import type { Requirement } from '../requirements/requirement.ts'
import { lineOf, type SourceFile, walk } from './source-file.ts'

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

/** Citations in titles of tests (`[some-id]`) and in comments (`// requirement: some-id, other-id`). */
export function findCitations(files: readonly SourceFile[]): Citation[] {
  const tests = files.filter((file) => file.path.endsWith('.test.ts'))
  return tests.flatMap((file) => citedInTitles(file).concat(citedInComments(file)))
}

/** Numbers of threats in titles of tests: `(threat 4)`, `(threats 4, 17)`. */
export function findThreats(files: readonly SourceFile[]): Set<number> {
  const titles = files.filter((file) => file.path.endsWith('.test.ts')).flatMap(titlesIn)
  const lists = titles.flatMap(({ text }) => [...text.matchAll(/\(threats? [^)]*\)/g)].map(String))
  return new Set(lists.flatMap((list) => [...list.matchAll(/\d+/g)].map(Number)))
}

/** At least one hyphen: `[2].rateLimit` in a title is no citation. */
const bracketed = /\[([a-z0-9]+(?:-[a-z0-9]+)+)\]/g

const citedInTitles = (file: SourceFile): Citation[] =>
  titlesIn(file).flatMap(({ text, line }) =>
    [...text.matchAll(bracketed)].map(([, id = '']) => ({ id, file: file.path, line })),
  )

function titlesIn(file: SourceFile): { text: string; line: number }[] {
  const titles: { text: string; line: number }[] = []
  walk(file.syntax, (node) => {
    if (!ts.isCallExpression(node) || !isRunningTest(node)) return
    const title = node.arguments[0]
    if (title === undefined || !ts.isStringLiteralLike(title)) return
    titles.push({ text: title.text, line: lineOf(file.syntax, title) })
  })
  return titles
}

/** A test that is skipped or still to do shows nothing; `skipIf` runs where it can. */
function isRunningTest(node: ts.CallExpression): boolean {
  const callee = node.expression.getText()
  return /^(?:test|it|describe)\b/.test(callee) && !/\.(?:skip|todo)$/.test(callee)
}

const comment = /\/\/ requirement: ([a-z0-9-]+(?:, [a-z0-9-]+)*)/

function citedInComments(file: SourceFile): Citation[] {
  return file.text.split('\n').flatMap((text, index) => {
    const ids = comment.exec(text)?.[1]?.split(', ') ?? []
    return ids.map((id) => ({ id, file: file.path, line: index + 1 }))
  })
}
