/** Method and path template of a route, as Elysia lists them (`ALL` is any method). */
export interface RouteAddress {
  method: string
  path: string
}

/** Methods that the routes at `path` answer, sorted; empty where there is no such route. For `Allow` (RFC 9110, 10.2.1). */
export function allowedMethods(routes: readonly RouteAddress[], path: string): string[] {
  const methods = new Set(routes.filter((route) => fits(route.path, path)).map((route) => route.method))
  if (methods.has('GET')) methods.add('HEAD')
  return [...methods].toSorted()
}

function fits(template: string, path: string): boolean {
  const wanted = template.split('/')
  const given = path.split('/')
  if (wanted.at(-1) === '*') return given.length >= wanted.length && segmentsFit(wanted.slice(0, -1), given)
  return wanted.length === given.length && segmentsFit(wanted, given)
}

const segmentsFit = (wanted: readonly string[], given: readonly string[]) =>
  wanted.every((segment, at) => (segment.startsWith(':') ? given[at] !== '' : segment === given[at]))
