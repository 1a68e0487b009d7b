import { basename, dirname } from 'node:path/posix'
import ts from 'typescript'

import { everywhere, nodeRule } from './node-rule.ts'
import { isTestFile, type Violation, type Rule } from './rule.ts'
import { lineOf, type SourceFile } from './source-file.ts'

const isConfiguration = (path: string): boolean => path.endsWith('.config.ts')

const namedExports = nodeRule(
  'named-exports',
  'a default export has a different name at each import; Vue and configuration files alone need one',
  (path) => !isConfiguration(path) && !path.endsWith('.vue'),
  (node) => {
    if (ts.isExportAssignment(node)) return 'has a default export'
    const isDefault = ts.canHaveModifiers(node) && ts.getModifiers(node)?.some(isDefaultKeyword)
    return isDefault === true ? 'has a default export' : null
  },
)

const isDefaultKeyword = (modifier: ts.Modifier): boolean => modifier.kind === ts.SyntaxKind.DefaultKeyword

const noBarrels: Rule = {
  name: 'no-barrels',
  reason:
    'a file that only passes on what others export hides where things are; a front door may name types of its own folder',
  find: (files) => files.flatMap(findPassedOn),
}

function findPassedOn(file: SourceFile): Violation[] {
  const statements = file.syntax.statements
  const passedOn = statements.filter(isPassedOn)
  const isBarrel = passedOn.length > 0 && passedOn.length === statements.length
  return passedOn
    .filter((statement) => isBarrel || statement.exportClause === undefined || !isOfOwnFolder(statement))
    .map((statement) => ({
      file: file.path,
      line: lineOf(file.syntax, statement),
      what: `passes on exports of ${statement.moduleSpecifier.getText()}`,
    }))
}

type PassedOn = ts.ExportDeclaration & { moduleSpecifier: ts.Expression }

const isPassedOn = (statement: ts.Statement): statement is PassedOn =>
  ts.isExportDeclaration(statement) && statement.moduleSpecifier !== undefined

const isOfOwnFolder = (statement: PassedOn): boolean => statement.moduleSpecifier.getText().startsWith("'./")

const forbiddenFolders = new Set([
  'common',
  'controllers',
  'dto',
  'helpers',
  'lib',
  'misc',
  'repositories',
  'services',
  'utils',
])
/** In the health domain "services" is the word for what is watched. */
const wordsOfTheDomain = new Set(['server/health/services'])
const forbiddenFiles = new Set(['common', 'helper', 'helpers', 'index', 'lib', 'misc', 'util', 'utils'])
const vagueEnding = /(?:Manager|Processor|Handler|Helper|Data|Info)$/
const vagueFileEnding = /(?:^|-)(?:manager|processor|handler|helper|data|info)$/

const tellingPaths: Rule = {
  name: 'telling-paths',
  reason: 'files and folders are named by what they do: no catch-alls, no layers, no index.ts',
  find: (files) =>
    files
      .filter((file) => hasForbiddenFolder(file.path) || hasForbiddenName(file.path))
      .map((file) => ({ file: file.path, line: 1, what: 'has a forbidden name' })),
}

function hasForbiddenFolder(path: string): boolean {
  const folders = dirname(path).split('/')
  return folders.some((folder, depth) => {
    const whole = folders.slice(0, depth + 1).join('/')
    return forbiddenFolders.has(folder) && !wordsOfTheDomain.has(whole) && !whole.startsWith('console/')
  })
}

function hasForbiddenName(path: string): boolean {
  const name = basename(path).replace(/(\.test)?\.(ts|vue)$/, '')
  return forbiddenFiles.has(name) || vagueEnding.test(name) || vagueFileEnding.test(name)
}

const tellingNames = nodeRule(
  'telling-names',
  'names ending Manager, Processor, Handler, Helper, Data or Info say nothing: name what it does or holds',
  everywhere,
  (node) => {
    const isDeclaration =
      ts.isClassDeclaration(node) ||
      ts.isInterfaceDeclaration(node) ||
      ts.isTypeAliasDeclaration(node) ||
      ts.isFunctionDeclaration(node)
    const name = isDeclaration ? node.name?.text : nameOfTopLevelConstant(node)
    return name !== undefined && vagueEnding.test(name) ? `declares ${name}` : null
  },
)

function nameOfTopLevelConstant(node: ts.Node): string | undefined {
  const isTopLevel = ts.isVariableDeclaration(node) && ts.isSourceFile(node.parent.parent.parent)
  return isTopLevel && ts.isIdentifier(node.name) ? node.name.text : undefined
}

const noModuleState = nodeRule(
  'no-module-state',
  'state of a module is a singleton that tests share: keep it inside a factory',
  (path) => /^(?:server|shared)\//.test(path) && !isTestFile(path) && basename(path) !== 'main.ts',
  (node) => {
    const isTopLevel = ts.isVariableStatement(node) && ts.isSourceFile(node.parent)
    return isTopLevel && (node.declarationList.flags & ts.NodeFlags.Const) === 0
      ? 'has a top-level variable that changes'
      : null
  },
)

const leanDependencies = nodeRule(
  'lean-dependencies',
  'a factory lists exactly what it uses: at most five things, none of them optional; no context object',
  (path) => path.startsWith('server/') && !isTestFile(path),
  (node) => {
    if (!ts.isInterfaceDeclaration(node) || !/(?:Context|Deps|Dependencies)$/.test(node.name.text))
      return null
    if (node.members.length > 5) return `${node.name.text} has ${node.members.length} fields`
    const optional = node.members.find((member) => member.questionToken !== undefined)
    return optional === undefined
      ? null
      : `${node.name.text} has the optional ${optional.name?.getText() ?? 'member'}`
  },
)

const noModuleMocks = nodeRule(
  'no-module-mocks',
  'tests use real parts: a mocked module of our own tests the mock',
  everywhere,
  (node) =>
    ts.isCallExpression(node) && /^(?:mock\.module|jest\.mock|vi\.mock)$/.test(node.expression.getText())
      ? `calls ${node.expression.getText()}`
      : null,
)

export const shapeRules: readonly Rule[] = [
  namedExports,
  noBarrels,
  tellingPaths,
  tellingNames,
  noModuleState,
  leanDependencies,
  noModuleMocks,
]
