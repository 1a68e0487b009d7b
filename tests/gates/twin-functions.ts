import ts from 'typescript'

import { isTestFile, type Rule } from './rule.ts'
import { lineOf, type SourceFile, walk } from './source-file.ts'

/** A shorter body, white space not counted twice, is read sooner than looked up elsewhere. */
const shortestTwin = 55

interface TopLevelFunction {
  file: SourceFile
  name: ts.Identifier
  body: ts.Node
}

/** Functions and constants that are functions: what is inside others, and methods, may need what is around them. */
function functionsOf(file: SourceFile): TopLevelFunction[] {
  return file.syntax.statements.flatMap((statement) => {
    if (ts.isFunctionDeclaration(statement) && statement.name !== undefined && statement.body !== undefined)
      return [{ file, name: statement.name, body: statement.body }]
    if (!ts.isVariableStatement(statement)) return []
    return statement.declarationList.declarations.flatMap(({ name, initializer }) =>
      ts.isIdentifier(name) && initializer !== undefined && isFunction(initializer)
        ? [{ file, name, body: initializer.body }]
        : [],
    )
  })
}

const isFunction = (node: ts.Node): node is ts.ArrowFunction | ts.FunctionExpression =>
  ts.isArrowFunction(node) || ts.isFunctionExpression(node)

/** The names of values that the file declares at its top. */
function ownNames({ syntax }: SourceFile): Set<string> {
  const names = new Set<string>()
  for (const statement of syntax.statements) {
    if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement))
      names.add(statement.name?.text ?? '')
    if (!ts.isVariableStatement(statement)) continue
    for (const { name } of statement.declarationList.declarations)
      walk(name, (node) => ts.isIdentifier(node) && names.add(node.text))
  }
  return names
}

function usesAny(body: ts.Node, names: ReadonlySet<string>): boolean {
  let isUsed = false
  walk(body, (node) => {
    if (ts.isIdentifier(node) && names.has(node.text)) isUsed = true
  })
  return isUsed
}

/** What is declared around it may mean something else in another file. */
const standsAlone = ({ body, file }: TopLevelFunction): boolean => !usesAny(body, ownNames(file))

const textOf = ({ body, file }: TopLevelFunction): string => body.getText(file.syntax).replaceAll(/\s+/g, ' ')

export const noTwinFunctions: Rule = {
  name: 'no-twin-functions',
  reason: 'what two files need is in one of them, or in shared/ or platform/: import it',
  find(files) {
    const ruled = files.filter(({ path }) => /^(?:server|shared|console)\//.test(path) && !isTestFile(path))
    const alike = Map.groupBy(ruled.flatMap(functionsOf), textOf)
    return [...alike].flatMap(([text, found]) => {
      if (text.length < shortestTwin || found.length === 1) return []
      const [owner, ...twins] = found.filter(standsAlone)
      return twins.map(({ name, file }) => ({
        file: file.path,
        line: lineOf(file.syntax, name),
        what: `${name.text} does the same as ${owner?.name.text} of ${owner?.file.path}`,
      }))
    })
  },
}
