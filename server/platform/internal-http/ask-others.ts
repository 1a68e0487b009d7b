import { withinDeadline } from '../deadline.ts'
import type { NodeClient } from './node-client.ts'
import { NodeError } from './node-error.ts'
import type { AnnouncedNode, NodeRegistry } from './node-registry.ts'

interface OthersQuestion<Answer> {
  readonly path: string
  /** JSON. */
  readonly body: string
  /** From the question to the end of its answer. */
  readonly answerWithinMs: number
  /** Returns null for JSON that this version does not understand. */
  read(json: unknown): Answer | null
}

interface OthersAnswers<Answer> {
  readonly answers: readonly Answer[]
  /** Those that are present but did not answer in time, or not as this version understands. */
  readonly silent: readonly AnnouncedNode[]
}

/** Asks every other living process the same, all at once. Never rejects; one that has ended meanwhile is left out. */
export async function askOthers<Answer>(
  { send, registry }: Pick<NodeClient, 'send'> & { readonly registry: Pick<NodeRegistry, 'others'> },
  question: OthersQuestion<Answer>,
): Promise<OthersAnswers<Answer>> {
  const { path, body, answerWithinMs, read } = question
  const answers: Answer[] = []
  const silent: AnnouncedNode[] = []

  async function ask(node: AnnouncedNode): Promise<void> {
    const left = new AbortController()
    const request = { path, body, headMs: answerWithinMs, signal: left.signal }
    try {
      const asked = send(node.id, request).then((response) => response.json())
      const answer = read(await withinDeadline(asked, answerWithinMs))
      if (answer === null) silent.push(node)
      else answers.push(answer)
    } catch (error) {
      if (!(error instanceof NodeError && error.failure === 'gone')) silent.push(node)
    } finally {
      left.abort()
    }
  }

  await Promise.all(registry.others().map(ask))
  return { answers, silent }
}
