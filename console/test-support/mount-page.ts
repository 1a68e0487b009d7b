import { afterEach, spyOn } from 'bun:test'
import { PiniaColada, useQueryCache } from '@pinia/colada'
import { mount } from '@vue/test-utils'
import { createPinia } from 'pinia'
import { type Component, h } from 'vue'
import { RouterView, createMemoryHistory, createRouter } from 'vue-router'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { consolePages } from '../../shared/console-pages.ts'

/** What procedures answer, by their names; what they throw is told as a refusal, and so is a name that is not here. */
export type ProcedureAnswers = Readonly<Record<string, (input: unknown) => unknown>>

let restoreFetch: (() => void) | undefined
afterEach(() => restoreFetch?.())

async function answerOf(answers: ProcedureAnswers, name: string, input: unknown): Promise<object> {
  try {
    const answer = answers[name]
    if (answer === undefined) throw new Error(`nothing answers ${name}`)
    return { result: { data: (await answer(input)) ?? null } }
  } catch (error) {
    const data = { code: 'INTERNAL_SERVER_ERROR', httpStatus: 500, path: name }
    return { error: { message: String(error), code: -32_603, data } }
  }
}

/** The procedures that one request calls, as the client of the console batches them. */
function answersOf(answers: ProcedureAnswers, address: string, body: unknown): Promise<object[]> {
  const { pathname, searchParams } = new URL(address, location.href)
  const inputs = JSON.parse(typeof body === 'string' ? body : (searchParams.get('input') ?? '{}'))
  const names = pathname.slice('/trpc/'.length).split(',')
  return Promise.all(names.map((name, place) => answerOf(answers, name, inputs[place])))
}

/**
 * A page at its address, with a server that answers only these procedures. It is there once all that it asks for is
 * answered. The other pages are empty.
 */
export async function mountPage(
  page: Component,
  answers: ProcedureAnswers,
  address: string,
  props: object = {},
) {
  const asked = spyOn(globalThis, 'fetch').mockImplementation(
    Object.assign(
      async (request: unknown, init?: { readonly body?: unknown }) =>
        Response.json(await answersOf(answers, String(request), init?.body)),
      { preconnect: () => undefined },
    ),
  )
  restoreFetch = () => asked.mockRestore()
  const pinia = createPinia()
  const here = new URL(address, location.href).pathname
  const router = createRouter({
    history: createMemoryHistory(),
    routes: Object.entries(consolePages).map(([name, path]) => ({
      name,
      path,
      component: { render: () => (path === here ? h(page, props) : null) },
    })),
  })
  await router.push(address)
  const wrapper = mount(RouterView, {
    attachTo: document.body,
    global: { plugins: [pinia, PiniaColada, router] },
  })
  const queries = useQueryCache(pinia)
  const untilAnswered = (): Promise<void> =>
    waitUntil('all that was asked for is answered', () =>
      queries.getEntries().every(({ asyncStatus }) => asyncStatus.value === 'idle'),
    )
  await untilAnswered()
  return {
    wrapper,
    router,
    /** For all that is shown; parts of it whose question is refused say so themselves. */
    async askAgain(): Promise<void> {
      await Promise.allSettled([queries.invalidateQueries()])
      await untilAnswered()
    },
  }
}
