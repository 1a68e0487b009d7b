import ts from 'typescript'

import type { Violation, Rule } from './rule.ts'
import { lineOf, type SourceFile, walk } from './source-file.ts'

/** Where parts are created and connected: the composition root, and the front door of the largest domain. */
const isRuled = (path: string): boolean =>
  path === 'server/compose.ts' || path.startsWith('server/compose/') || path === 'server/health/health.ts'

/**
 * A closure over a later `const` works as long as it is called late enough, and is a ring between two parts that no
 * import shows. Declarations of functions are hoisted and may come later; constants of the module are all made before
 * any function runs.
 */
export const createdBeforeUsed: Rule = {
  name: 'created-before-used',
  reason:
    'no part is named before it is created, not even in a closure: pass a small port that is created first',
  find: (files) => files.filter(({ path }) => isRuled(path)).flatMap(findEarlyUses),
}

function findEarlyUses(file: SourceFile): Violation[] {
  const places: Violation[] = []
  walk(file.syntax, (block) => {
    if (!ts.isBlock(block)) return
    for (const name of block.statements.flatMap(namesDeclaredBy)) {
      walk(block, (node) => {
        if (node.pos < name.pos && isUseOf(node, name.text) && !isShadowed(node, name.text, block)) {
          places.push({
            file: file.path,
            line: lineOf(file.syntax, node),
            what: `uses ${name.text} too early`,
          })
        }
      })
    }
  })
  return places
}

function namesDeclaredBy(statement: ts.Statement): ts.Identifier[] {
  if (!ts.isVariableStatement(statement)) return []
  return statement.declarationList.declarations.flatMap(({ name }) => namesIn(name))
}

const namesIn = (name: ts.BindingName): ts.Identifier[] =>
  ts.isIdentifier(name)
    ? [name]
    : name.elements.flatMap((element) => (ts.isOmittedExpression(element) ? [] : namesIn(element.name)))

/** An identifier that stands for a value: neither the name of a member or of a declaration, nor part of a type. */
function isUseOf(node: ts.Node, name: string): boolean {
  if (!ts.isIdentifier(node) || node.text !== name) return false
  const { parent } = node
  if (ts.isPropertyAccessExpression(parent)) return parent.expression === node
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node
  if (ts.isVariableDeclaration(parent)) return parent.initializer === node
  const isName = ts.isBindingElement(parent) || ts.isParameter(parent) || ts.isMethodDeclaration(parent)
  return !isName && !ts.isTypeNode(parent) && !ts.isTypeElement(parent)
}

/** Whether something between the use and the block declares the same name again. */
function isShadowed(use: ts.Node, name: string, block: ts.Block): boolean {
  for (let scope = use.parent; scope !== block; scope = scope.parent) {
    const declared = ts.isFunctionLike(scope)
      ? scope.parameters.flatMap((parameter) => namesIn(parameter.name))
      : ts.isBlock(scope)
        ? scope.statements.flatMap(namesDeclaredBy)
        : []
    if (declared.some(({ text }) => text === name)) return true
  }
  return false
}
