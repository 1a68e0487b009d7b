import ts from 'typescript'

import { everywhere, nodeRule } from './node-rule.ts'
import { isTestFile, type Rule } from './rule.ts'
import { lineOf, type SourceFile } from './source-file.ts'

export const sizeLimits = {
  fileLines: 300,
  testFileLines: 400,
  functionLines: 60,
  factoryLines: 120,
  medianLines: 90,
} as const

/** Lines of a text; the line break at its end begins no new one. */
export function countLines(text: string): number {
  const lines = text.split('\n').length
  return text.endsWith('\n') ? lines - 1 : lines
}

const shortFiles: Rule = {
  name: 'short-files',
  reason: `one idea in a file: at most ${sizeLimits.fileLines} lines, ${sizeLimits.testFileLines} for tests`,
  find: (files) =>
    files
      .filter((file) => countLines(file.text) > limitOf(file.path))
      .map((file) => ({
        file: file.path,
        line: limitOf(file.path),
        what: `has ${countLines(file.text)} lines`,
      })),
}

const limitOf = (path: string): number => (isTestFile(path) ? sizeLimits.testFileLines : sizeLimits.fileLines)

const shortMedian: Rule = {
  name: 'short-median',
  reason: `half of the source files have at most ${sizeLimits.medianLines} lines`,
  find: (files) => {
    const sizes = files.filter((file) => !isTestFile(file.path)).map((file) => countLines(file.text))
    const median = sizes.toSorted((one, other) => one - other)[Math.floor(sizes.length / 2)] ?? 0
    return median <= sizeLimits.medianLines
      ? []
      : [{ file: '.', line: 1, what: `the median is ${median} lines` }]
  },
}

/** A factory is measured without the named functions in it, each of which is measured for itself; and as a whole. */
const shortFunctions = nodeRule(
  'short-functions',
  `at most ${sizeLimits.functionLines} lines, a factory with its inner functions ${sizeLimits.factoryLines}: named steps instead`,
  everywhere,
  (node, file) => {
    if (!isFunctionWithBody(node) || isDescribeCallback(node)) return null
    const whole = linesOf(node, file)
    const own = whole - namedFunctionsIn(node).reduce((sum, inner) => sum + linesOf(inner, file), 0)
    if (whole > sizeLimits.factoryLines) return `a function of ${whole} lines`
    return own > sizeLimits.functionLines ? `a function of ${own} lines, inner functions not counted` : null
  },
)

function linesOf(node: ts.Node, file: SourceFile): number {
  const end = file.syntax.getLineAndCharacterOfPosition(node.getEnd()).line + 1
  return end - lineOf(file.syntax, node) + 1
}

/** The outermost ones only: what is inside them belongs to them. */
function namedFunctionsIn(outer: ts.Node): ts.Node[] {
  const found: ts.Node[] = []
  ts.forEachChild(outer, function search(node) {
    if (isFunctionWithBody(node) && isNamed(node)) found.push(node)
    else ts.forEachChild(node, search)
  })
  return found
}

const isNamed = (node: ts.Node): boolean =>
  ts.isFunctionDeclaration(node) ||
  ts.isMethodDeclaration(node) ||
  ts.isVariableDeclaration(node.parent) ||
  ts.isPropertyAssignment(node.parent)

const isFunctionWithBody = (node: ts.Node): boolean =>
  ts.isFunctionLike(node) && 'body' in node && node.body !== undefined

/** `describe` only groups: its callback is as long as the tests in it. */
const isDescribeCallback = (node: ts.Node): boolean =>
  ts.isCallExpression(node.parent) && /^describe\b/.test(node.parent.expression.getText())

const noEscapes = nodeRule(
  'no-type-escapes',
  '`as any` and `as never` switch the type checker off',
  everywhere,
  (node) =>
    ts.isAsExpression(node) && /^(?:any|never)$/.test(node.type.getText())
      ? `has ${describeCast(node)}`
      : null,
)

const describeCast = (node: ts.AsExpression): string => `as ${node.type.getText()}`

const noSilentCatch = nodeRule(
  'no-silent-catch',
  'an error that nobody handles must not vanish: handle it, or say with code which one is expected',
  everywhere,
  (node) => (ts.isCatchClause(node) && node.block.statements.length === 0 ? 'has an empty catch' : null),
)

const noSleeps = nodeRule(
  'no-sleeps-in-tests',
  'a sleep is either too short or too long: wait for the condition, with a deadline',
  everywhere,
  (node) =>
    ts.isAwaitExpression(node) &&
    /^await (?:Bun\.sleep|setTimeout|sleep)\(/.test(node.getText()) &&
    isStepOfTest(node)
      ? 'a test sleeps'
      : null,
)

/** Directly in the body of a test. A poll's loop, and the slowness of a fake peer, may sleep. */
function isStepOfTest(node: ts.Node): boolean {
  const body = ts.findAncestor(
    node,
    (outer) => ts.isFunctionLike(outer) || ts.isIterationStatement(outer, false),
  )
  const call = body?.parent
  return call !== undefined && ts.isCallExpression(call) && /^(?:test|it)\b/.test(call.expression.getText())
}

export const tidyRules: readonly Rule[] = [
  shortFiles,
  shortMedian,
  shortFunctions,
  noEscapes,
  noSilentCatch,
  noSleeps,
]
