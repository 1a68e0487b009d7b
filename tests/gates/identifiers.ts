import ts from 'typescript'

import { lineOf, type SourceFile, walk } from './source-file.ts'

export interface Use {
  /** As written, for instance `Date.now` or `new Date()`. */
  text: string
  line: number
}

/**
 * Uses of the outside world by name: `Date.now`, `new Date()` without arguments, `fetch`, `process.env`, `Bun.serve`.
 * A global reached through `globalThis` counts as itself; a parameter or property of the same name does not.
 */
export function findUses(file: SourceFile, names: ReadonlySet<string>): Use[] {
  const uses: Use[] = []
  walk(file.syntax, (node) => {
    const text = nameOfUse(node)
    if (text !== null && isListed(text, names)) uses.push({ text, line: lineOf(file.syntax, node) })
  })
  return uses
}

/** `process` in the list covers `process.env`; `process.env` covers only itself and what hangs below it. */
function isListed(text: string, names: ReadonlySet<string>): boolean {
  if (names.has(text)) return true
  const root = text.slice(0, text.indexOf('.'))
  return text.includes('.') && names.has(root)
}

function nameOfUse(node: ts.Node): string | null {
  if (ts.isNewExpression(node)) return isClockReading(node) ? 'new Date()' : null
  if (ts.isPropertyAccessExpression(node)) return nameOfProperty(node)
  if (ts.isIdentifier(node) && isFreeExpression(node)) return node.text
  return null
}

const isClockReading = (node: ts.NewExpression): boolean =>
  node.expression.getText() === 'Date' && (node.arguments ?? []).length === 0

function nameOfProperty(node: ts.PropertyAccessExpression): string | null {
  const owner = node.expression.getText()
  if (owner === 'globalThis') return node.name.text
  if (owner === 'import.meta') return `import.meta.${node.name.text}`
  if (!ts.isIdentifier(node.expression) || isDeclaredAround(node, owner)) return null
  return `${owner}.${node.name.text}`
}

/** An identifier used as a value, and not the name of something that the file itself declares around it. */
function isFreeExpression(node: ts.Identifier): boolean {
  return isValue(node) && !isDeclaredAround(node, node.text)
}

function isValue(node: ts.Identifier): boolean {
  const parent = node.parent
  if (ts.isNewExpression(parent)) return parent.expression === node
  if (ts.isCallExpression(parent)) return parent.expression === node || parent.arguments.includes(node)
  if (ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent)) return parent.initializer === node
  return ts.isShorthandPropertyAssignment(parent) || ts.isReturnStatement(parent)
}

function isDeclaredAround(node: ts.Node, name: string): boolean {
  for (let scope = node.parent; scope !== undefined; scope = scope.parent) {
    if (declaredNames(scope).includes(name)) return true
  }
  return false
}

function declaredNames(scope: ts.Node): string[] {
  if (ts.isFunctionLike(scope)) return scope.parameters.flatMap((parameter) => boundNames(parameter.name))
  if (ts.isBlock(scope) || ts.isSourceFile(scope)) return scope.statements.flatMap(namesOfStatement)
  return []
}

function namesOfStatement(statement: ts.Statement): string[] {
  if (ts.isFunctionDeclaration(statement)) return statement.name === undefined ? [] : [statement.name.text]
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations.flatMap((declaration) => boundNames(declaration.name))
  }
  if (ts.isImportDeclaration(statement)) return namesOfImport(statement)
  return []
}

function namesOfImport(statement: ts.ImportDeclaration): string[] {
  const clause = statement.importClause
  const bindings = clause?.namedBindings
  const names = clause?.name === undefined ? [] : [clause.name.text]
  if (bindings === undefined) return names
  if (ts.isNamespaceImport(bindings)) return [...names, bindings.name.text]
  return [...names, ...bindings.elements.map((element) => element.name.text)]
}

function boundNames(name: ts.BindingName): string[] {
  if (ts.isIdentifier(name)) return [name.text]
  return name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : boundNames(element.name)))
}
