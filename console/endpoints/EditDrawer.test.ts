import { expect, test } from 'bun:test'

import { waitUntil } from '../../scripts/world/wait-until.ts'
import { consolePages } from '../../shared/console-pages.ts'
import type { EndpointDetails } from '../../shared/endpoints.ts'
import { mountPage } from '../test-support/mount-page.ts'
import EditDrawer from './EditDrawer.vue'

const shown = (): string => document.querySelector('[role=dialog]')?.textContent ?? ''
const notice = 'This was changed elsewhere meanwhile'

test('an endpoint whose upstreams come and go meanwhile was not changed elsewhere; one with a new revision was', async () => {
  let now: EndpointDetails = {
    name: 'mainnet',
    chain: { key: 'ethereum', name: 'Ethereum' },
    family: 'evm',
    managedBy: 'operator',
    url: '',
    webSocketUrl: '',
    upstreams: [],
    problem: null,
    methods: { allow: [], deny: [], unknown: 'refuse' },
    credits: {},
    settings: { byMethod: {} },
    revision: 'first',
  }
  let answered = 0
  const { askAgain } = await mountPage(
    EditDrawer,
    { 'endpoints.details': () => (answered++, now) },
    consolePages.endpoints,
    { name: now.name },
  )
  await waitUntil('the form is open', () => shown().includes('Edit “mainnet”'))

  now = { ...now, problem: 'Two upstreams are not used' }
  const before = answered
  await askAgain()
  expect(answered).toBeGreaterThan(before)
  expect(shown()).not.toContain(notice)

  now = { ...now, revision: 'second' }
  await askAgain()
  await waitUntil('the form says so', () => shown().includes(notice))
})
