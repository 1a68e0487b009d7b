import { join } from 'node:path'

import type { AgentAccess } from '../agent-access/agent-access.ts'
import type { ApiKeys } from '../api-keys/api-keys.ts'
import type { Config } from '../config/config.ts'
import { privateFolder } from '../config/data-folder.ts'
import type { ToolCallHooks } from '../connections/connections.ts'
import { createToolCalls, type ToolCalls } from '../tool-calls/tool-calls.ts'
import { createUsage } from '../usage/usage.ts'
import type { CoreServices } from './core-services.ts'

/** The record of tool calls, with what counts them. */
export interface RecordedToolCalls {
  readonly toolCalls: ToolCalls
  /** Returns hooks that record every call, and leave the decision to the given ones. */
  hooksAround(others: ToolCallHooks): ToolCallHooks
  /** Writes what was counted and recorded to the database. */
  close(): Promise<void>
}

interface Callers {
  readonly apiKeys: Pick<ApiKeys, 'list'>
  readonly agentAccess: Pick<AgentAccess, 'names'>
}

/** Opens the record, which shares with usage how calls are counted. */
export function openToolCalls(
  config: Config,
  core: CoreServices,
  { apiKeys, agentAccess }: Callers,
): RecordedToolCalls {
  const keysOf = async (accountId: string) => {
    const [keys, agents] = await Promise.all([apiKeys.list(accountId), agentAccess.names(accountId)])
    return [
      ...keys.map(({ id, name, hint }) => ({ id, name, hint, endpoint: '' })),
      ...agents.map(({ id, name }) => ({ id, name, hint: '', endpoint: '' })),
    ]
  }
  const folder = join(privateFolder(config.dataDir), 'tool-usage')
  const counted = createUsage({ ...core, tables: 'tool_usage', folder, keysOf })
  counted.start()
  const toolCalls = createToolCalls({
    ...core,
    now: core.clock.now,
    counted,
    written: core.traces?.toolCalls ?? ignored,
    namesOf: async (accountId) => new Map((await keysOf(accountId)).map(({ id, name }) => [id, name])),
  })
  toolCalls.start()
  return {
    toolCalls,
    hooksAround: (others) => hooksAround(others, toolCalls),
    async close() {
      await toolCalls.stop()
      await counted.stop()
    },
  }
}

function hooksAround(others: ToolCallHooks, toolCalls: ToolCalls): ToolCallHooks {
  type Decision = ReturnType<NonNullable<ToolCallHooks['admit']>>
  return {
    ...others,
    admit(call) {
      const begun = (decision: Awaited<Decision>) => {
        if (decision.admitted) toolCalls.begin(call, decision.credits)
        return decision
      }
      const decision = others.admit?.(call) ?? ({ admitted: true, credits: 0 } as const)
      return decision instanceof Promise ? decision.then(begun) : begun(decision)
    },
    finished(call, outcome) {
      others.finished?.(call, outcome)
      toolCalls.finished(call, outcome)
    },
  }
}

const ignored = (): void => undefined
