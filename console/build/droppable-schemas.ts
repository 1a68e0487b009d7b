import type { Plugin } from 'vite'

interface Place {
  readonly start: number
  readonly end: number
}

interface Node extends Place {
  readonly type: string
  readonly callee?: Node
  readonly object?: Node
  readonly name?: unknown
}

/**
 * Leaves out the schemas of `shared/` that the console does not use: it needs a constant of a file, or reads one answer
 * by hand, and most schemas are the server's. To make a schema is a call, which the bundler has to keep as long as
 * nobody says that it does nothing else.
 */
export function droppableSchemas(): Plugin {
  return {
    name: 'droppable-schemas',
    apply: 'build',
    enforce: 'post', // when the types are gone
    transform(code, id) {
      if (!/\/shared\/[^/]+\.ts$/.test(id)) return null
      const { body } = this.parse(code)
      const schemas = body
        .map((statement) => (statement.type === 'ExportNamedDeclaration' ? statement.declaration : statement))
        .flatMap((statement) => (statement?.type === 'VariableDeclaration' ? statement.declarations : []))
        .flatMap(({ init }) => (init !== null && init !== undefined && isSchema(init) ? [init] : []))
      return { code: schemas.reduceRight(madeDroppable, code), map: null }
    },
  }
}

/** Whether an expression is a chain of calls that begins with `z.`. */
function isSchema(node: Node): boolean {
  if (node.type === 'CallExpression') return node.callee !== undefined && isSchema(node.callee)
  if (node.type !== 'MemberExpression' || node.object === undefined) return false
  return node.object.type === 'Identifier' ? node.object.name === 'z' : isSchema(node.object)
}

const madeDroppable = (code: string, { start, end }: Place): string =>
  `${code.slice(0, start)}/* @__PURE__ */ (() => ${code.slice(start, end)})()${code.slice(end)}`
