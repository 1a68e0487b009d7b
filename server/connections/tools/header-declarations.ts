/** The property of a schema that requests an argument as a header too (2026-07-28, "Schema Extension"). */
const declaration = 'x-mcp-header'

/** The `token` of RFC 9110, section 5.6.2. */
const token = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/
const headerTypes: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean'])

/**
 * Returns true when the header declarations of an input schema are valid: they stand on primitive values that
 * are reachable through `properties` alone, and each has its own header name. A client must ignore tools whose
 * declarations are invalid.
 */
export function hasValidHeaders(inputSchema: unknown): boolean {
  const names = new Set<string>()

  function isValid(node: unknown, isReachable: boolean, isRoot: boolean): boolean {
    if (typeof node !== 'object' || node === null) return true
    if (Array.isArray(node)) return node.every((item) => isValid(item, false, false))
    const schema = new Map<string, unknown>(Object.entries(node))
    if (schema.has(declaration) && (isRoot || !isReachable || !isValidDeclaration(schema))) return false
    return [...schema].every(([key, value]) =>
      key === 'properties' && isReachable
        ? Object.values(value ?? {}).every((property) => isValid(property, true, false))
        : isValid(value, false, false),
    )
  }

  function isValidDeclaration(schema: ReadonlyMap<string, unknown>): boolean {
    const name = schema.get(declaration)
    if (typeof name !== 'string' || !token.test(name) || !headerTypes.has(schema.get('type'))) return false
    const isNew = !names.has(name.toLowerCase())
    names.add(name.toLowerCase())
    return isNew
  }

  return isValid(inputSchema, true, true)
}
