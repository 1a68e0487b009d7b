import { type Document, LineCounter, isMap, isSeq, parseDocument, visit } from 'yaml'
import type { YAMLParseError, YAMLWarning } from 'yaml'
import * as z from 'zod/mini'

import { GatehouseFile } from '../../shared/gatehouse-file.ts'
import { findInvalid } from '../platform/validation-text.ts'

/** One mistake: its line (from 1, null when the file has no such place) and what is allowed. */
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
      /** Whether nothing is written there but blanks and comments; `{}` is something. */
      readonly isEmpty: boolean
      /** Locates a mistake that is found later, by checking the meaning of the content. */
      problemAt(path: FieldPath, message: string): FileProblem
    }

/**
 * How many values the aliases of one anchor may stand for. Thousands of services may share a policy, while each level
 * of an alias bomb stands for many times as much as the one below.
 */
const mostAliasedValues = 100_000

/** Parses the configuration file (YAML 1.2) and checks every field; unknown fields are mistakes. An empty file is valid. */
export function readDeclarativeFile(text: string): FileReading {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, uniqueKeys: true })
  // What the parser only warns of, it reads as something else than stands there.
  const syntax = [...document.errors, ...document.warnings].map(syntaxProblem)
  syntax.push(...danglingAliases(document, lines))
  if (syntax.length > 0) return { kind: 'problems', problems: syntax }
  const value = valueOf(document)
  if (value === null) return { kind: 'problems', problems: [tooManyAliases] }

  const problemAt = (path: FieldPath, message: string): FileProblem => ({
    line: lineOf(document, lines, path),
    field: fieldName(path),
    message,
  })
  const parsed = z.safeParse(GatehouseFile, value)
  const isEmpty = !isMap(document.contents)
  if (parsed.success) return { kind: 'content', content: parsed.data, isEmpty, problemAt }
  const problems = findInvalid(GatehouseFile, value).map(({ path, message }) => problemAt(path, message))
  return { kind: 'problems', problems }
}

function syntaxProblem({ code, linePos, message }: YAMLParseError | YAMLWarning): FileProblem {
  return {
    line: linePos?.[0].line ?? null,
    field: '(syntax)',
    message:
      code === 'TAG_RESOLVE_FAILED'
        ? 'Tags such as !env are not supported; a text that begins with ! needs quotes'
        : // After a colon the parser's message repeats the text of the file, which may be a secret.
          (message.split('\n')[0] ?? '').replace(/(?: at line \d+, column \d+)?(?::.*)?$/, ''),
  }
}

const tooManyAliases: FileProblem = {
  line: null,
  field: '(file)',
  message: `aliases of one anchor may stand for at most ${mostAliasedValues} values; write some of them out`,
}

/** Returns the content as plain values, an empty file as an object; null when its aliases stand for too much. */
function valueOf(document: Document): {} | null {
  try {
    return document.toJS({ maxAliasCount: mostAliasedValues }) ?? {}
  } catch (error) {
    if (error instanceof ReferenceError) return null
    throw error
  }
}

/**
 * Reports aliases without an anchor before them, and within what their own anchor stands for. An unquoted password may
 * begin with `*`, and `toJS` would throw with its name.
 */
function danglingAliases(document: Document, lines: LineCounter): FileProblem[] {
  const problems: FileProblem[] = []
  // Each alias could find its anchor by itself, by a walk through the whole file.
  const anchored = new Map<string, unknown>()
  visit(document, {
    Alias(_, alias, path) {
      const target = anchored.get(alias.source)
      if (target !== undefined && !path.some((parent) => parent === target)) return
      const line = alias.range ? lines.linePos(alias.range[0]).line : null
      problems.push({
        line,
        field: '(syntax)',
        message: 'An alias needs an anchor; a text that begins with * needs quotes',
      })
    },
    Value(_, node) {
      if (node.anchor !== undefined) anchored.set(node.anchor, node)
    },
  })
  return problems
}

/** Returns the line of a field, or of the closest parent that the file has. */
function lineOf(document: Document, lines: LineCounter, path: FieldPath): number | null {
  for (let length = path.length; length > 0; length--) {
    const offset = keyOffset(document, path.slice(0, length))
    if (offset !== null) return lines.linePos(offset).line
  }
  return null
}

/** Returns the offset of a map's field at its key, and of a list's element at its value. */
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

const fieldName = (path: FieldPath): string => {
  if (path.length === 0) return '(file)'
  return path.reduce<string>((name, step) => {
    if (typeof step === 'number') return `${name}[${step}]`
    return name === '' ? step : `${name}.${step}`
  }, '')
}

/** Returns `gatehouse.yaml:7: services[0].provider: …`, a form in which editors can jump to the line. */
export const describeProblem = (fileName: string, problem: FileProblem): string =>
  `${fileName}${problem.line === null ? '' : `:${problem.line}`}: ${problem.field}: ${problem.message}`
