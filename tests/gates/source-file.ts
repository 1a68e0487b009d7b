import { dirname, join } from 'node:path/posix'
import ts from 'typescript'

import { scriptOf } from './vue-script.ts'

/** One edge of the import graph; type-only edges count. */
export interface Import {
  specifier: string
  /** Path from the top of the tree; null for packages. */
  target: string | null
  typeOnly: boolean
  /** What is taken: names as the imported file calls them, `*` for everything, `default`. */
  names: string[]
  line: number
}

export interface SourceFile {
  /** From the top of the tree, with `/`. */
  path: string
  text: string
  syntax: ts.SourceFile
  imports: Import[]
}

/** Parses a TypeScript or Vue file. TypeScript's own parser is used because bun's drops type-only imports. */
export function sourceFile(path: string, text: string): SourceFile {
  const script = path.endsWith('.vue') ? scriptOf(text) : text
  const syntax = ts.createSourceFile(path, script, ts.ScriptTarget.Latest, true, ts.ScriptKind.TS)
  return { path, text, syntax, imports: readImports(path, syntax) }
}

/** Nobody reads or writes these. */
const madeByPrograms = new Set(['scripts/client/schema.d.ts'])

/** Reads every TypeScript and Vue file below the folders. */
export async function readSourceFiles(folders: readonly string[]): Promise<SourceFile[]> {
  const found = [...new Bun.Glob(`{${folders.join(',')}}/**/*.{ts,vue}`).scanSync('.')]
  const paths = found.filter((path) => !madeByPrograms.has(path)).sort()
  return Promise.all(paths.map(async (path) => sourceFile(path, await Bun.file(path).text())))
}

export const lineOf = (syntax: ts.SourceFile, node: ts.Node): number =>
  syntax.getLineAndCharacterOfPosition(node.getStart(syntax)).line + 1

/** Calls `visit` for a node and everything below it. */
export function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node)
  ts.forEachChild(node, (child) => walk(child, visit))
}

function readImports(path: string, syntax: ts.SourceFile): Import[] {
  const imports: Import[] = []
  walk(syntax, (node) => {
    const found = readImport(node)
    if (found === null) return
    const target = found.specifier.startsWith('.') ? join(dirname(path), found.specifier) : null
    imports.push({ ...found, target, line: lineOf(syntax, node) })
  })
  return imports
}

type ImportText = Pick<Import, 'specifier' | 'typeOnly' | 'names'>

function readImport(node: ts.Node): ImportText | null {
  if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
    return { specifier: node.moduleSpecifier.text, ...readClause(node.importClause) }
  }
  if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
    return { specifier: node.moduleSpecifier.text, ...readExported(node) }
  }
  if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
    return textOf(node.argument.literal, { typeOnly: true, names: [node.qualifier?.getText() ?? '*'] })
  }
  if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
    return textOf(node.arguments[0], { typeOnly: false, names: ['*'] })
  }
  if (isUrlOfThisModule(node)) return textOf(node.arguments?.[0], { typeOnly: false, names: [] })
  return null
}

function textOf(node: ts.Node | undefined, rest: Omit<ImportText, 'specifier'>): ImportText | null {
  return node !== undefined && ts.isStringLiteral(node) ? { specifier: node.text, ...rest } : null
}

function readClause(clause: ts.ImportClause | undefined): Omit<ImportText, 'specifier'> {
  if (clause === undefined) return { typeOnly: false, names: [] }
  const bindings = clause.namedBindings
  const elements = bindings !== undefined && ts.isNamedImports(bindings) ? bindings.elements : []
  const names = elements.map((element) => (element.propertyName ?? element.name).text)
  if (clause.name !== undefined) names.push('default')
  if (bindings !== undefined && ts.isNamespaceImport(bindings)) names.push('*')
  const isWholeClauseType = clause.phaseModifier === ts.SyntaxKind.TypeKeyword
  const isEachNameType = names.length > 0 && elements.length === names.length && elements.every(isTypeOnly)
  return { typeOnly: isWholeClauseType || isEachNameType, names }
}

function readExported(node: ts.ExportDeclaration): Omit<ImportText, 'specifier'> {
  const clause = node.exportClause
  if (clause === undefined || !ts.isNamedExports(clause)) return { typeOnly: node.isTypeOnly, names: ['*'] }
  const names = clause.elements.map((element) => (element.propertyName ?? element.name).text)
  return { typeOnly: node.isTypeOnly || clause.elements.every(isTypeOnly), names }
}

const isTypeOnly = (element: ts.ImportSpecifier | ts.ExportSpecifier): boolean => element.isTypeOnly

/** `new URL('./worker.ts', import.meta.url)`: how workers and data files are named. */
function isUrlOfThisModule(node: ts.Node): node is ts.NewExpression {
  return (
    ts.isNewExpression(node) &&
    node.expression.getText() === 'URL' &&
    node.arguments?.[1]?.getText() === 'import.meta.url'
  )
}
