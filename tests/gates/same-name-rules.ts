import ts from 'typescript'

import type { Violation, Rule } from './rule.ts'
import { lineOf, type SourceFile } from './source-file.ts'

interface Declared {
  name: string
  place: Violation
}

/** Exported declarations with a capital initial: by our convention these are schemas, types and classes. */
function exportedTypes(file: SourceFile): Declared[] {
  return file.syntax.statements
    .filter(isExported)
    .flatMap(namesOf)
    .filter((name) => /^[A-Z]/.test(name.text))
    .map((name) => ({
      name: name.text,
      place: { file: file.path, line: lineOf(file.syntax, name), what: `declares ${name.text} again` },
    }))
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined
  return modifiers?.some((modifier) => modifier.kind === ts.SyntaxKind.ExportKeyword) ?? false
}

function namesOf(statement: ts.Statement): ts.Identifier[] {
  if (ts.isVariableStatement(statement)) {
    return statement.declarationList.declarations
      .map((declaration) => declaration.name)
      .filter(ts.isIdentifier)
  }
  if (ts.isTypeAliasDeclaration(statement) || ts.isInterfaceDeclaration(statement)) return [statement.name]
  if (ts.isClassDeclaration(statement) && statement.name !== undefined) return [statement.name]
  return []
}

/** A schema and its type share one name in one file; the same name in a second file is a second truth. */
const oneSchemaEach: Rule = {
  name: 'one-schema-each',
  reason: 'one schema in shared/ serves every transport and the console: import it',
  find: (files) => {
    const owners = new Map<string, string>()
    const places: Violation[] = []
    const ruled = files.filter(
      (file) => /^(?:shared|console)\//.test(file.path) && !file.path.endsWith('.test.ts'),
    )
    for (const file of ruled.toSorted(sharedFirst)) {
      for (const { name, place } of exportedTypes(file)) {
        const owner = owners.get(name)
        const isRestated = owner !== undefined && owner !== file.path && owner.startsWith('shared/')
        if (isRestated) places.push({ ...place, what: `${place.what}, it is in ${owner}` })
        if (owner === undefined) owners.set(name, file.path)
      }
    }
    return places
  },
}

function sharedFirst(one: SourceFile, other: SourceFile): number {
  return Number(other.path.startsWith('shared/')) - Number(one.path.startsWith('shared/'))
}

export const sameNameRules: readonly Rule[] = [oneSchemaEach]
