import { readFile } from 'node:fs/promises'
import type { Plugin } from 'vite'

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
  readonly [key: string]: unknown
}

/** A statement of a module, with the names that it declares and those that it mentions. */
interface Statement {
  readonly node: Node
  readonly isImport: boolean
  readonly isExported: boolean
  readonly declares: readonly string[]
  readonly mentions: ReadonlySet<string>
}

const sharedFile = /\/shared\/[^/]+\.ts$/
const partOfFile = /^(.+\/shared\/[^/]+\.ts)\?part=(values|schemas)$/
/** Makes schemas of texts, as zod does. */
const builders = /\/(?:text|instants)\.ts$/

/**
 * Divides each file of `shared/` into its schemas and everything else, so that a page that needs a constant does not load
 * zod with the schemas beside it, and leaves out the schemas that nothing uses. To make a schema is a call, which the
 * bundler has to keep as long as nobody says that it does nothing else.
 */
export function schemasApart(): Plugin {
  return {
    name: 'schemas-apart',
    apply: 'build',
    enforce: 'post', // when the types are gone
    resolveId: (id) => (partOfFile.test(id) ? id : null),
    load(id) {
      const [, file] = partOfFile.exec(id) ?? []
      return file === undefined ? null : readFile(file, 'utf8')
    },
    transform(code, id) {
      if (sharedFile.test(id)) return silent(partsOf(id).map((part) => `export * from ${part}`))
      const [, file = '', part] = partOfFile.exec(id) ?? []
      if (part === undefined) return null
      const statements = this.parse(code).body.map((node) => statementOf(node as unknown as Node))
      const schemas = schemasAmong(statements)
      const isWanted = (statement: Statement): boolean =>
        statement.isImport || schemas.has(statement) === (part === 'schemas')
      const wanted = statements.filter(isWanted)
      const links = linksBetween(file, part, statements, schemas)
      return silent([...links, ...wanted.map(({ node }) => droppable(code, node))])
    },
  }
}

const partsOf = (file: string): string[] =>
  ['values', 'schemas'].map((part) => JSON.stringify(`${file}?part=${part}`))

const silent = (lines: readonly string[]) => ({ code: lines.join('\n'), map: null, moduleSideEffects: false })

/** Schemas use values of their file, and never the other way round: what mentions a schema counts as one. */
function linksBetween(
  file: string,
  part: string,
  statements: readonly Statement[],
  schemas: ReadonlySet<Statement>,
): string[] {
  const mentioned = new Set([...schemas].flatMap(({ mentions }) => [...mentions]))
  const values = statements.filter((statement) => !statement.isImport && !schemas.has(statement))
  const used = values.flatMap(({ declares, isExported }) =>
    declares.filter((name) => mentioned.has(name)).map((name) => ({ name, isExported })),
  )
  if (part === 'schemas')
    return used.length === 0
      ? []
      : [`import { ${used.map(({ name }) => name).join(', ')} } from ${partsOf(file)[0] ?? ''}`]
  const hidden = used.filter(({ isExported }) => !isExported).map(({ name }) => name)
  return hidden.length === 0 ? [] : [`export { ${hidden.join(', ')} }`]
}

/** Statements that need zod, be it through others. */
function schemasAmong(statements: readonly Statement[]): ReadonlySet<Statement> {
  const names = new Set(statements.filter(({ isImport }) => isImport).flatMap(schemaImports))
  const found = new Set<Statement>()
  for (let before = -1; before < found.size;) {
    before = found.size
    for (const statement of statements) {
      if (statement.isImport || found.has(statement)) continue
      if (![...statement.mentions].some((name) => names.has(name))) continue
      found.add(statement)
      for (const name of statement.declares) names.add(name)
    }
  }
  return found
}

/** Of an import: zod, what makes schemas, and schemas of other files, which begin with a capital letter. */
function schemaImports({ node }: Statement): string[] {
  const from = String((node['source'] as Node)['value'])
  const locals = (node['specifiers'] as Node[]).map((specifier) => nameIn(specifier['local']))
  if (from.startsWith('zod') || builders.test(from)) return locals
  return from.startsWith('.') ? locals.filter((name) => /^[A-Z]/.test(name)) : []
}

function statementOf(node: Node): Statement {
  const isExported = node.type === 'ExportNamedDeclaration'
  const inner = isExported ? ((node['declaration'] as Node | null) ?? node) : node
  return {
    node,
    isImport: node.type === 'ImportDeclaration',
    isExported,
    declares: declaredBy(inner),
    mentions: new Set(mentionsIn(inner)),
  }
}

function declaredBy(node: Node): string[] {
  if (node.type === 'VariableDeclaration')
    return (node['declarations'] as Node[]).map((declared) => nameIn(declared['id']))
  return node.type === 'FunctionDeclaration' ? [nameIn(node['id'])] : []
}

const nameIn = (node: unknown): string => (isNode(node) ? String(node['name']) : '')

/** Every name in a piece of code, but keys of objects and names of members. */
function mentionsIn(node: Node): string[] {
  if (node.type === 'Identifier') return [nameIn(node)]
  const isPlainKey = (key: string): boolean =>
    node['computed'] !== true && (node.type === 'Property' ? key === 'key' : key === 'property')
  return Object.entries(node)
    .filter(([key]) => !isPlainKey(key) || node['shorthand'] === true)
    .flatMap(([, value]) => [value].flat().filter(isNode).flatMap(mentionsIn))
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && 'type' in value && 'start' in value

/** A statement whose constants are dropped where nothing uses them, although calls make them. */
function droppable(code: string, node: Node): string {
  const inner = node.type === 'ExportNamedDeclaration' ? (node['declaration'] as Node | null) : node
  if (inner?.type !== 'VariableDeclaration') return code.slice(node.start, node.end)
  let text = code.slice(node.start, node.end)
  for (const { init } of (inner['declarations'] as Node[]).toReversed() as unknown as { init: unknown }[]) {
    if (!isNode(init) || !calls(init)) continue
    const [from, to] = [init.start - node.start, init.end - node.start]
    text = `${text.slice(0, from)}/* @__PURE__ */ (() => (${text.slice(from, to)}))()${text.slice(to)}`
  }
  return text
}

/** Whether a call is made when the code runs, and not only when a function in it is called. */
function calls(node: Node): boolean {
  if (['CallExpression', 'NewExpression'].includes(node.type)) return true
  if (/Function/.test(node.type)) return false
  return Object.values(node).some((value) => [value].flat().some((part) => isNode(part) && calls(part)))
}
