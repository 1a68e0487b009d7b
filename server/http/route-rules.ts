import { isJsonBody } from '../platform/http/request-body.ts'

/** What Elysia says about a mounted route. */
export interface MountedRoute {
  method: string
  path: string
  hooks: Record<string, unknown>
}

/** Mistakes in route files that would only show under attack. Throws at start, naming the route. */
export function checkRoutes(routes: readonly MountedRoute[]): void {
  const seen = new Set<string>()
  for (const { method, path, hooks } of routes) {
    const name = `${method} ${path}`
    if (seen.has(name)) throw new TypeError(`${name} is defined twice`)
    seen.add(name)
    if (hooks.body !== undefined && !parsersOf(hooks.parse).some(isJsonBody)) {
      throw new TypeError(`${name} validates a body but does not read it by jsonBody()`)
    }
  }
}

/** Elysia keeps the `parse` option as one function, as an array, or wrapped in `{ fn }`. */
function parsersOf(parse: unknown): unknown[] {
  const list: unknown[] = Array.isArray(parse) ? parse : [parse]
  return list.map((entry) =>
    typeof entry === 'object' && entry !== null && 'fn' in entry ? entry.fn : entry,
  )
}
