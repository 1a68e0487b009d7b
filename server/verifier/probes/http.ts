import { HttpRule } from '../../../shared/health.ts'
import { accessOf } from './access.ts'
import { failureOfStatus } from './http-status.ts'
import { type Probe, ProbeFailure } from './probe.ts'

const defaultRule = HttpRule.parse({})

/**
 * A good status (200 unless the rule names others) and, where the rule says so, a text in the body. A redirect is
 * judged by its own status: where it leads is another service.
 */
export const httpProbe: Probe = {
  async head(target, _chain, exchange) {
    const rule = target.rule ?? defaultRule
    const response = await exchange({ ...accessOf(target), method: rule.method, takesRedirects: true })
    if (!rule.statuses.includes(response.status)) {
      // A success that the rule does not name is an answer, but not the one that was asked for.
      throw new ProbeFailure(failureOfStatus(response.status) ?? 'RPC_ERROR')
    }
    if (rule.contains !== undefined && !response.text.includes(rule.contains))
      throw new ProbeFailure('RPC_ERROR')
    return { ok: true, head: null, error: null }
  },
}
