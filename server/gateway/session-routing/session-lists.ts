import * as z from 'zod/mini'

import { GatewaySessionView } from '../../../shared/gateway.ts'
import type { GatewaySessionList } from '../../../shared/session-lists.ts'
import { withinDeadline } from '../../platform/deadline.ts'
import { type AnswerNode, type InternalHttp, NodeError } from '../../platform/internal-http/internal-http.ts'

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
  /** Asks one process. `silent`: it is present but did not answer in time, or not as this version understands. */
  async function ask(node: string, owner: Owner): Promise<Views | 'silent' | 'gone'> {
    const left = new AbortController()
    const request = {
      path: listPath,
      body: JSON.stringify({ owner }),
      headMs: answerWithinMs,
      signal: left.signal,
    }
    try {
      const listed = internal.send(node, request).then((response) => response.json())
      const read = ListedViews.safeParse(await withinDeadline(listed, answerWithinMs))
      return read.success ? read.data : 'silent'
    } catch (error) {
      return error instanceof NodeError && error.failure === 'gone' ? 'gone' : 'silent'
    } finally {
      left.abort()
    }
  }

  return {
    async list(owner) {
      const here = listHere(owner)
      if (!internal.registry.isConnected()) return { sessions: here, processes: null, silent: 0 }
      const asked = await Promise.all(internal.registry.others().map(({ id }) => ask(id, owner)))
      const there = asked.filter((one) => one !== 'gone')
      const answered = there.filter((one) => one !== 'silent')
      return {
        sessions: [here, ...answered].flat().toSorted((one, other) => one.lastUsedAt - other.lastUsedAt),
        processes: 1 + there.length,
        silent: there.length - answered.length,
      }
    },

    answer: ({ body }) => {
      const question = Question.parse(JSON.parse(new TextDecoder().decode(body)))
      return Response.json(listHere(question.owner))
    },
  }
}
