import { type JsonRule, HttpRule } from '../../../shared/health.ts'
import { parseJsonPath, valueAt } from '../../../shared/json-path.ts'
import type { Target } from '../../../shared/verifier-protocol.ts'
import { type Expression, parseExpression } from '../../platform/expression.ts'
import { accessOf } from './access.ts'
import { parseProbeAnswer } from './answer.ts'
import { nextHop } from './redirect.ts'
import { failureOfStatus } from './http-status.ts'
import { type Probe, type ProbeExchange, ProbeFailure } from './probe.ts'
import { RecentMap } from '../../platform/recent-map.ts'

const defaultRule = HttpRule.parse({})
const rememberedExpressions = 1_000

/**
 * A good status (200 unless the rule names others) and, where the rule says so, what the body holds. A redirect is
 * followed only as often as the rule allows, and else judged by its own status: where it leads is another service.
 */
export function createHttpProbe(): Probe {
  const expressions = new RecentMap<string, Expression>(rememberedExpressions)

  function expressionOf(pattern: string): Expression {
    const expression = expressions.get(pattern) ?? parseExpression(pattern)
    expressions.set(pattern, expression)
    return expression
  }

  return {
    async head(target, _chain, exchange) {
      const rule = target.rule ?? defaultRule
      const { status, text } = await ask(target, rule, exchange)
      if (!rule.statuses.includes(status)) {
        // A success that the rule does not name is an answer, but not the one that was asked for.
        throw new ProbeFailure(failureOfStatus(status) ?? 'RPC_ERROR')
      }
      const isMissing = rule.contains !== undefined && !text.includes(rule.contains)
      if (isMissing || (rule.matches !== undefined && !expressionOf(rule.matches).isIn(text)))
        throw new ProbeFailure('RPC_ERROR')
      if (rule.json !== undefined && !holds(rule.json, parseProbeAnswer(text)))
        throw new ProbeFailure('RPC_ERROR')
      return { ok: true, head: null, error: null }
    },
  }
}

async function ask(target: Target, rule: HttpRule, exchange: ProbeExchange) {
  const { url, headers } = accessOf(target)
  const { method, body } = rule
  const isJson = body !== undefined && /^\s*[[{]/.test(body) && headers['content-type'] === undefined
  let request = {
    url,
    method,
    headers: { ...headers, ...(isJson && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { body }),
  }
  let response = await exchange({ ...request, takesRedirects: true })
  for (let followed = 0; followed < (rule.redirects ?? 0); followed++) {
    const hop = nextHop(request, response.status, response.headers.get('location'))
    if (hop === null) break
    request = hop
    response = await exchange({ ...request, takesRedirects: true })
  }
  return response
}

function holds({ path, equals, min = -Infinity, max = Infinity }: JsonRule, body: unknown): boolean {
  const value = valueAt(body, parseJsonPath(path) ?? [])
  if (equals !== undefined) return value === equals
  if (min === -Infinity && max === Infinity) return value !== undefined
  return typeof value === 'number' && value >= min && value <= max
}
