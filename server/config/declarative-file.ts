import { LineCounter, isMap, isSeq, parseDocument, visit } from 'yaml'
import type { Document } from 'yaml'
import * as z from 'zod/mini'

import { GatehouseFile } from '../../shared/gatehouse-file.ts'
import { findInvalid } from '../platform/validation-text.ts'

/** One mistake: where it stands (line from 1, or null when the field is missing altogether) and what is allowed. */
export interface FileProblem {
  readonly line: number | null
  /** For instance `services[0].policy.enterBlocks`. */
  readonly field: string
  readonly message: string
}

export type FieldPath = readonly (string | number)[]

export type FileReading =
  | { readonly kind: 'problems'; readonly problems: readonly FileProblem[] }
  | {
      readonly kind: 'content'
      readonly content: GatehouseFile
      /** Turns a mistake found later, by meaning rather than form, into one with its line. */
      problemAt(path: FieldPath, message: string): FileProblem
    }

/** Reads the declarative file: YAML 1.2, every field checked, unknown ones named. An empty file is an empty set. */
export function readDeclarativeFile(text: string): FileReading {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true })
  const syntax = document.errors.map((error): FileProblem => ({
    line: error.linePos?.[0].line ?? null,
    field: '(syntax)',
    // Behind a colon the parser repeats what stands there, which may be a secret.
    message: (error.message.split('\n')[0] ?? '').replace(/(?: at line \d+, column \d+)?(?::.*)?$/, ''),
  }))
  syntax.push(...danglingAliases(document, lines))
  if (syntax.length > 0) return { kind: 'problems', problems: syntax }

  const problemAt = (path: FieldPath, message: string): FileProblem => ({
    line: lineOf(document, lines, path),
    field: fieldName(path),
    message,
  })
  const value: unknown = document.toJS() ?? {}
  const parsed = z.safeParse(GatehouseFile, value)
  if (parsed.success) return { kind: 'content', content: parsed.data, problemAt }
  const problems = findInvalid(GatehouseFile, value).map(({ path, message }) => problemAt(path, message))
  return { kind: 'problems', problems }
}

/** Passwords may begin with `*`, too; without quotes that is an alias, over which `toJS` would throw, naming it. */
function danglingAliases(document: Document, lines: LineCounter): FileProblem[] {
  const problems: FileProblem[] = []
  visit(document, {
    Alias(_, alias) {
      if (alias.resolve(document) !== undefined) return
      const line = alias.range ? lines.linePos(alias.range[0]).line : null
      problems.push({
        line,
        field: '(syntax)',
        message: 'An alias needs an anchor; a text that begins with * needs quotes',
      })
    },
  })
  return problems
}

/** The line of a field, or of the closest thing around it that is in the file. */
function lineOf(document: Document, lines: LineCounter, path: FieldPath): number | null {
  for (let length = path.length; length > 0; length--) {
    const offset = keyOffset(document, path.slice(0, length))
    if (offset !== null) return lines.linePos(offset).line
  }
  return null
}

/** A field of a map is found at its key, an element of a list at its value. */
function keyOffset(document: Document, path: FieldPath): number | null {
  const parent = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  const last = path.at(-1)
  if (isMap(parent)) {
    for (const { key } of parent.items) {
      const range = rangeOf(key)
      if (range && String(key) === String(last)) return range[0]
    }
  }
  if (isSeq(parent) && typeof last === 'number') return rangeOf(parent.items[last])?.[0] ?? null
  return null
}

function rangeOf(node: unknown): readonly [number, number, number] | null {
  return typeof node === 'object' && node !== null && 'range' in node && Array.isArray(node.range)
    ? (node.range as [number, number, number])
    : null
}

const fieldName = (path: FieldPath): string =>
  path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`
    return name === '' ? step : `${name}.${step}`
  }, '')

/** `gatehouse.yaml:7: services[0].provider: …`, the form that editors jump to. */
export const describeProblem = (fileName: string, problem: FileProblem): string =>
  `${fileName}${problem.line === null ? '' : `:${problem.line}`}: ${problem.field}: ${problem.message}`
