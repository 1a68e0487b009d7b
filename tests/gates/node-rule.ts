import type ts from 'typescript'

import type { Violation, Rule } from './rule.ts'
import { lineOf, type SourceFile, walk } from './source-file.ts'

/** Makes a rule out of a question about each syntax node of the files it rules; an answer of text is a violation. */
export function nodeRule(
  name: string,
  reason: string,
  isRuled: (path: string) => boolean,
  judge: (node: ts.Node, file: SourceFile) => string | null,
): Rule {
  return { name, reason, find: (files) => files.filter((file) => isRuled(file.path)).flatMap(findIn) }

  function findIn(file: SourceFile): Violation[] {
    const places: Violation[] = []
    walk(file.syntax, (node) => {
      const what = judge(node, file)
      if (what !== null) places.push({ file: file.path, line: lineOf(file.syntax, node), what })
    })
    return places
  }
}

export const everywhere = (): boolean => true
