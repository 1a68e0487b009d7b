import type { Ref } from 'vue'

import { cursorAt } from '../../shared/record-position.ts'
import type { ShownToolCall } from '../../shared/tool-calls.ts'
import { trpc } from '../trpc.ts'
import { useRecordList } from '../use-record-list.ts'
import { beginOfRange, filterOfView, scopeOfView, toolCallQueryOf } from './tool-call-view.ts'
import type { ToolCallView } from './tool-call-view.ts'

const refreshMs = 5_000

/** Reads the log of calls of tools. */
export const useToolCalls = (view: Readonly<Ref<ToolCallView>>) =>
  useRecordList<ShownToolCall, string>(
    () => ({
      key: ['tool-calls', JSON.stringify(toolCallQueryOf({ ...view.value, tab: 'calls', by: 'tool' }))],
      async read(before) {
        const { calls, nextCursor } = await trpc.toolCalls.list.query({
          ...scopeOfView(view.value),
          ...filterOfView(view.value),
          ...(view.value.group !== '' && { group: view.value.group }),
          from: beginOfRange(view.value.range, Date.now()),
          ...(before !== null && { before }),
        })
        return { rows: calls, cursor: nextCursor }
      },
      cursorAfter: cursorAt,
      holds: ({ at }) => at >= beginOfRange(view.value.range, Date.now()),
    }),
    refreshMs,
  )
