import ts from 'typescript'

import { isTestFile, type Violation, type Rule } from './rule.ts'
import { lineOf, type SourceFile } from './source-file.ts'

/** Where the texts of inputs are made, with bounds and without control characters. */
const makers = new Set(['shared/text.ts', 'shared/instants.ts'])

/** Calls whose first argument is the schema of an input. */
const readers = new Set(['input', 'inputSchemaOf', 'readArguments', 'checked'])

/** Inputs that no such call names: the declarative file, and the reports of verifiers. */
const otherInputs = new Set(['GatehouseFile', 'ReportBatch'])

const routeMethods = new Set(['get', 'post', 'put', 'patch', 'delete'])
const routeInputs = new Set(['body', 'query', 'params', 'headers'])

/** Everything of zod that makes a text, or lets any value through. */
const bareText =
  /^z\.(?:(?:string|any|unknown|json|url|httpUrl|email|base64|base64url|hex|hash|jwt|uuid|uuidv[467]|guid|cuid2?|ulid|xid|ksuid|nanoid|emoji|e164|hostname|ipv[46]|mac|cidrv[46]|templateLiteral|stringFormat|lowercase)|coerce\.string|iso\.\w+)$/

interface Found {
  readonly file: SourceFile
  readonly node: ts.Node
}

const noBareStrings: Rule = {
  name: 'no-bare-strings',
  reason:
    'texts of inputs are made in shared/text.ts and shared/instants.ts, which bound them and refuse control characters',
  find(files) {
    const declared = declarationsOf(files)
    const reached = new Set<ts.Node>()
    const places = new Map<string, Violation>()
    const waiting = files.filter(({ path }) => !isTestFile(path)).flatMap(inputsOf)
    for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
      const { file, node } = next
      if (reached.has(node) || makers.has(file.path)) continue
      reached.add(node)
      for (const part of valuesIn(node)) {
        if (ts.isIdentifier(part)) waiting.push(...resolved(file, part.text, declared))
        else places.set(`${file.path}:${part.pos}`, placeOf(file, part))
      }
    }
    return [...places.values()].toSorted((one, other) => one.line - other.line)
  },
}

const placeOf = (file: SourceFile, call: ts.CallExpression): Violation => ({
  file: file.path,
  line: lineOf(file.syntax, call),
  what: `${call.expression.getText(file.syntax)}() in an input`,
})

/** The schemas of inputs as a file names them. */
function inputsOf(file: SourceFile): Found[] {
  const found: Found[] = []
  const visit = (node: ts.Node): void => {
    for (const schema of schemasAt(node)) found.push({ file, node: schema })
    ts.forEachChild(node, visit)
  }
  visit(file.syntax)
  return found
}

function schemasAt(node: ts.Node): readonly ts.Node[] {
  if (ts.isVariableDeclaration(node) && ts.isIdentifier(node.name)) {
    return otherInputs.has(node.name.text) && node.initializer !== undefined ? [node.initializer] : []
  }
  if (!ts.isCallExpression(node)) return []
  const name = calledName(node)
  const [first] = node.arguments
  if (first === undefined) return []
  if (readers.has(name)) return [first]
  const isRoute = routeMethods.has(name) && ts.isStringLiteral(first) && first.text.startsWith('/')
  return isRoute ? node.arguments.flatMap(inputsOfRoute) : []
}

const calledName = ({ expression }: ts.CallExpression): string =>
  ts.isPropertyAccessExpression(expression)
    ? expression.name.text
    : ts.isIdentifier(expression)
      ? expression.text
      : ''

function inputsOfRoute(options: ts.Expression): ts.Node[] {
  if (!ts.isObjectLiteralExpression(options)) return []
  return options.properties.flatMap((property) => {
    if (property.name === undefined || !routeInputs.has(property.name.getText())) return []
    if (ts.isShorthandPropertyAssignment(property)) return [property.name]
    return ts.isPropertyAssignment(property) ? [property.initializer] : []
  })
}

/** Names that are used as values in an expression or a declaration, and calls that make a bare text. */
function valuesIn(root: ts.Node): (ts.Identifier | ts.CallExpression)[] {
  const values: (ts.Identifier | ts.CallExpression)[] = []
  const visit = (node: ts.Node): void => {
    if (ts.isTypeNode(node)) return
    if (ts.isIdentifier(node)) values.push(node)
    if (ts.isCallExpression(node) && bareText.test(node.expression.getText())) values.push(node)
    if (ts.isPropertyAccessExpression(node)) visit(node.expression)
    else if (ts.isPropertyAssignment(node)) visit(node.initializer)
    else ts.forEachChild(node, visit)
  }
  visit(root)
  return values
}

type Declarations = ReadonlyMap<string, ReadonlyMap<string, Found>>

/** By file and name; of several declarations of a name in one file the first. */
function declarationsOf(files: readonly SourceFile[]): Declarations {
  return new Map(
    files.map((file) => {
      const named = new Map<string, Found>()
      const visit = (node: ts.Node): void => {
        const isDeclaration = ts.isVariableDeclaration(node) || ts.isFunctionDeclaration(node)
        const name =
          isDeclaration && node.name !== undefined && ts.isIdentifier(node.name) ? node.name.text : null
        if (name !== null && !named.has(name)) named.set(name, { file, node })
        ts.forEachChild(node, visit)
      }
      visit(file.syntax)
      return [file.path, named]
    }),
  )
}

/** What a name in a file means: its declaration there, or in the file that it is imported from. */
function resolved(file: SourceFile, name: string, declared: Declarations): Found[] {
  const own = declared.get(file.path)?.get(name)
  if (own !== undefined) return [own]
  const from = file.imports.find(({ names, target }) => target !== null && names.includes(name))
  const there = declared.get(from?.target ?? '')?.get(name)
  return there === undefined ? [] : [there]
}

export const inputRules: readonly Rule[] = [noBareStrings]
