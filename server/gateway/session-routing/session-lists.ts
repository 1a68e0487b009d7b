import * as z from 'zod/mini'

import { GatewaySessionView } from '../../../shared/gateway.ts'
import type { GatewaySessionList } from '../../../shared/session-lists.ts'
import { askOthers } from '../../platform/internal-http/ask-others.ts'
import type { AnswerNode, InternalHttp } from '../../platform/internal-http/internal-http.ts'

/** The account whose sessions are listed; null lists those of every account. */
type Owner = string | null

type Views = readonly GatewaySessionView[]

export interface SessionLists {
  /**
   * Lists the sessions of every process, ordered by last use. Never rejects: processes that did not answer are
   * counted in `silent`.
   */
  list(owner: Owner): Promise<GatewaySessionList>
  /** Answers the question of another process. */
  readonly answer: AnswerNode
}

interface SessionListsOptions {
  readonly internal: Pick<InternalHttp, 'send' | 'registry'>
  listHere(owner: Owner): Views
}

/** The path at which processes tell their sessions. */
export const listPath = '/gateway/sessions'
/** People wait for the list, and a healthy process answers in a few milliseconds. */
const answerWithinMs = 1_000

const Question = z.object({ owner: z.nullable(z.string()) })
const ListedViews = z.array(GatewaySessionView)

export function createSessionLists({ internal, listHere }: SessionListsOptions): SessionLists {
  return {
    async list(owner) {
      const here = listHere(owner)
      if (!internal.registry.isConnected()) return { sessions: here, processes: null, silent: 0 }
      const { answers, silent } = await askOthers(internal, {
        path: listPath,
        body: JSON.stringify({ owner }),
        answerWithinMs,
        read: (json) => ListedViews.safeParse(json).data ?? null,
      })
      return {
        sessions: [here, ...answers].flat().toSorted((one, other) => one.lastUsedAt - other.lastUsedAt),
        processes: 1 + answers.length + silent.length,
        silent: silent.length,
      }
    },

    answer: ({ body }) => {
      const question = Question.parse(JSON.parse(new TextDecoder().decode(body)))
      return Response.json(listHere(question.owner))
    },
  }
}
