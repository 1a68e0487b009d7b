import ts from 'typescript'

import type { Rule, Violation } from './rule.ts'
import { lineOf, type SourceFile } from './source-file.ts'

interface Declared {
  name: string
  place: Violation
}

/** Everything that a file exports by a declaration of its own. */
export function exportedNames(file: SourceFile): Declared[] {
  return file.syntax.statements
    .filter(isExported)
    .flatMap(namesOf)
    .map((name) => ({
      name: name.text,
      place: { file: file.path, line: lineOf(file.syntax, name), what: `declares ${name.text} again` },
    }))
}

/** Those with a capital initial: by our convention these are schemas, types and classes. */
const exportedTypes = (file: SourceFile): Declared[] =>
  exportedNames(file).filter(({ name }) => /^[A-Z]/.test(name))

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
  const isNamed = ts.isClassDeclaration(statement) || ts.isFunctionDeclaration(statement)
  return isNamed && statement.name !== undefined ? [statement.name] : []
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

/** A schema and its type, and the overloads of a function, share a name within their file. */
const oneMeaningEach: Rule = {
  name: 'one-meaning-each',
  reason: 'an exported name means one thing in the whole tree: say which one this is',
  find: (files) => {
    const owners = new Map<string, string>()
    const places: Violation[] = []
    for (const file of files.filter(({ path }) => !path.endsWith('.test.ts'))) {
      for (const { name, place } of exportedNames(file)) {
        const owner = owners.get(name) ?? file.path
        owners.set(name, owner)
        if (owner !== file.path) places.push({ ...place, what: `${place.what}, it is in ${owner}` })
      }
    }
    return places
  },
}

/** Metaphors of earlier versions, for each of which the field has a term: see the glossary in server/README.md. */
const retiredWords =
  'admission deed desk doorbell entrant errand estate heard keeper lane purse roster shelf shelves told turnstile visit'
const retiredWord = new RegExp(`\\b(?:${retiredWords.replaceAll(' ', '|')})s?\\b`)

/** `camelCase` and `kebab-case` as words. */
const wordsOf = (name: string): string => name.replace(/([a-z0-9])([A-Z])/g, '$1-$2').toLowerCase()

const noRetiredWords: Rule = {
  name: 'no-retired-words',
  reason: 'a term of the field is found by those who do not know this tree: use that',
  find: (files) =>
    files.flatMap((file) => [
      ...(retiredWord.test(wordsOf(file.path))
        ? [{ file: file.path, line: 1, what: 'its name has a retired word' }]
        : []),
      ...exportedNames(file)
        .filter(({ name }) => retiredWord.test(wordsOf(name)))
        .map(({ name, place }) => ({ ...place, what: `exports ${name}` })),
    ]),
}

export const sameNameRules: readonly Rule[] = [oneSchemaEach, oneMeaningEach, noRetiredWords]
