import { expect, test } from 'bun:test'

import { nextTurn } from '../platform/turns.ts'
import type { CallLink, ToolCallResult } from './connections.ts'
import { anonymous, link, nothingOffered, toService } from './test-support/connections-under-test.ts'
import { type QuestionStream, startQuestioningServer } from './test-support/questioning-server.ts'
import { sharedConnections } from './test-support/shared-connections.ts'

/** Tool servers before protocol 2026-07-28 ask in the middle of a call, on its stream or on one that belongs to no call. */

const subject = sharedConnections()
let servers = 0

function startServer() {
  servers += 1
  const server = subject.opened(startQuestioningServer(nextTurn))
  return subject.registry.put({ serviceId: `mcpservers:questions-${servers}`, url: server.url })
}

const canBeAsked = { elicitation: { form: {} } }

/** A caller who says a name of its own to every question. */
const sayer = (said: string): CallLink =>
  link({
    clientCapabilities: canBeAsked,
    ask: async () => {
      await nextTurn()
      return { action: 'accept', content: { said } }
    },
  })

function textIn(outcome: ToolCallResult): string {
  const { content } = outcome.outcome === 'answered' ? outcome.result : {}
  return Array.isArray(content) ? String(content[0]?.text) : outcome.outcome
}

const ask = (service: ReturnType<typeof startServer>, streams: readonly QuestionStream[], by: CallLink) => {
  const call = { name: 'ask', arguments: { streams } }
  return subject.connections.callTool(anonymous('one'), toService(service), call, nothingOffered, by)
}

test.each([[['call']], [['session']], [['session', 'call', 'session']]] as const)(
  'what is asked on %p is answered by the caller',
  async (streams) => {
    const outcome = await ask(startServer(), streams, sayer('Ada'))
    expect(textIn(outcome)).toBe(streams.map(() => 'Ada').join(' '))
  },
)

test('of two callers at once none answers for the other, and both can be asked again later', async () => {
  const service = startServer()
  expect(textIn(await ask(service, ['call'], sayer('Ada')))).toBe('Ada')
  const both = await Promise.all([
    ask(service, ['call', 'session'], sayer('Ada')),
    ask(service, ['call', 'session'], sayer('Bob')),
  ])
  const [ada = '', bob = ''] = both.map(textIn)
  expect(ada).not.toContain('Bob')
  expect(bob).not.toContain('Ada')
  expect(textIn(await ask(service, ['call'], sayer('Bob')))).toBe('Bob')
})
