import { hourMs } from '../../shared/durations.ts'
import { anonymousAccount, noKey, toolCallOutcomes } from '../../shared/tool-calls.ts'
import { otherMethods } from '../../shared/usage.ts'
import type { FinishedToolCall, ToolCall } from '../connections/connections.ts'
import type { MeasuredCalls, MeteredKey, Usage } from '../usage/usage.ts'

/** Counts calls of tools with the meter that counts calls with query keys. */
export interface CallCounter {
  /**
   * Counts a call before it is sent: from its return on it is counted, however this process ends. Fault: `unavailable`
   * when there is no room; it must not be sent then.
   */
  begin(call: ToolCall, credits: number): void
  /** Counts what became of a call, also of one that was not begun. */
  end(call: ToolCall, outcome: FinishedToolCall): void
}

interface BegunCall {
  readonly counted: MeasuredCalls
  readonly credits: number
}

export function createCallCounter(meter: Usage['meter'], now: () => number): CallCounter {
  const begun = new WeakMap<ToolCall, BegunCall>()
  const nameOf = createToolNames(now)

  function admit(call: ToolCall, credits: number): BegunCall {
    const counted = meter.admit(keyOf(call), [{ method: nameOf(call), credits }], 0)
    return { counted, credits }
  }

  return {
    begin(call, credits) {
      begun.set(call, admit(call, credits))
    },
    end(call, { class: outcome, ms, bytesSent, bytesReceived, credits }) {
      const method = nameOf(call)
      const attempts = [{ upstream: method, class: outcome, ms }]
      const group = toolCallOutcomes[outcome]
      if (group === 'denied') return meter.refuse(keyOf(call), [{ method, credits: 0 }], 'rate', attempts)
      const { counted, credits: asked } = begun.get(call) ?? admit(call, credits)
      const measured = group === 'answered' ? 'ok' : group === 'tool_error' ? 'error' : 'unanswered'
      const creditsBack = [Math.max(0, asked - credits)]
      counted.settle([measured], {
        bytesIn: bytesSent,
        bytesOut: bytesReceived,
        tookMs: ms,
        creditsBack,
        attempts,
      })
    },
  }
}

export const keyIdOf = ({ keyId }: Pick<ToolCall, 'keyId'>): string => keyId ?? noKey
export const accountIdOf = ({ accountId }: Pick<ToolCall, 'accountId'>): string =>
  accountId ?? anonymousAccount
/** The name of a tool server in counts. The words of one that stands before a tool must not hold blanks. */
export const serverIdOf = ({ service }: ToolCall): string => service.serviceId.replaceAll(/\s/g, '_')

const keyOf = (call: ToolCall): MeteredKey => ({
  id: keyIdOf(call),
  accountId: accountIdOf(call),
  endpoint: serverIdOf(call),
})

/** The number of tools told apart at a tool server in an hour, as the meter does. Callers can invent names. */
const mostNames = 200
const mostNameChars = 128

/** Returns the name under which a tool is counted. */
function createToolNames(now: () => number): (call: ToolCall) => string {
  let hour = 0
  const servers = new Map<string, Set<string>>()

  return ({ service: { serviceId }, tool }) => {
    if (tool.length > mostNameChars || !/^[\x21-\x7e]+(?: [\x21-\x7e]+)?$/.test(tool)) return otherMethods
    const current = Math.floor(now() / hourMs)
    if (current !== hour) {
      hour = current
      servers.clear()
    }
    const names = servers.get(serviceId) ?? new Set()
    servers.set(serviceId, names)
    if (names.size >= mostNames && !names.has(tool)) return otherMethods
    names.add(tool)
    return tool
  }
}
