import { createPathMatcher, type FindPathPattern } from '../../../shared/path-pattern.ts'
import type { RequestClass } from '../../../shared/request-log.ts'
import type { Endpoint } from '../../endpoints/endpoints.ts'
import type { AuthenticatedRequest } from '../authenticated-request.ts'
import type { RelayKey } from '../ports.ts'
import { readPath } from './request-path.ts'
import type { RestError } from './rest-errors.ts'

interface PathRules {
  readonly allowed: FindPathPattern
  readonly denied: FindPathPattern
}

const rulesOfEndpoints = new WeakMap<Endpoint, PathRules>()
const rulesOfKeys = new WeakMap<RelayKey, FindPathPattern>()

function rulesOf(endpoint: Endpoint): PathRules {
  const known = rulesOfEndpoints.get(endpoint)
  if (known !== undefined) return known
  const { allow, deny } = endpoint.methods
  const rules = { allowed: createPathMatcher(allow), denied: createPathMatcher(deny, true) }
  rulesOfEndpoints.set(endpoint, rules)
  return rules
}

function keyAllows(key: RelayKey, method: string, segments: readonly string[]): boolean {
  const { allowedMethods, allowedContracts } = key
  if (allowedContracts.length > 0) return false // nobody can say which contracts a path reaches
  if (allowedMethods.length === 0 || allowedMethods.includes('*')) return true
  const known = rulesOfKeys.get(key) ?? createPathMatcher(allowedMethods)
  rulesOfKeys.set(key, known)
  return known(method, segments) !== null
}

type Refused = RestError & { readonly class: RequestClass }

/** Returns the pattern that a call matches, or why it is refused. */
export function offeredPattern({
  request: { method },
  path,
  endpoint,
  key,
}: Pick<AuthenticatedRequest, 'endpoint' | 'key'> & {
  readonly request: Pick<Request, 'method'>
  readonly path: string
}): string | Refused {
  const read = readPath(path)
  if (read.kind === 'refused')
    return { status: 400, class: 'invalid', error: { reason: 'bad_request', message: read.why } }
  const { allowed, denied } = rulesOf(endpoint)
  const pattern = denied(method, read.segments) === null ? allowed(method, read.segments) : null
  if (pattern === null) return { status: 403, class: 'method-refused', error: notOffered }
  return keyAllows(key, method, read.segments)
    ? pattern
    : { status: 403, class: 'method-refused', error: notForKey }
}

const notOffered = {
  reason: 'method_not_offered',
  message:
    'this endpoint does not offer this path with this method; its operator can change that in methods.allow and methods.deny',
}

const notForKey = {
  reason: 'method_not_allowed',
  message: 'this query key may not make this call: see its allowed methods',
}
