import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Page } from 'playwright-core'

import { startConsole } from '../../scripts/world/console-under-test.ts'
import type { ConsoleUnderTest } from '../../scripts/world/console-under-test.ts'
import { type SignedInClient, signInAt } from '../../scripts/world/signed-in-client.ts'
import { needs } from '../support/needs.ts'

/** What one edits while somebody else, with another browser, changes it: whoever saves is told before. */

const isReady = needs('chromium-headless-shell')
let subject: ConsoleUnderTest
let other: SignedInClient

const node = { id: 'node', name: 'Node', family: 'http', provider: 'acme', endpoint: 'http://127.0.0.1:1/' }
const rule = { name: 'Down', when: { decision: ['DOWN'], for: '1m' } }
const channel = { name: 'ops', type: 'alertmanager', url: 'http://127.0.0.1:9/', user: 'first' }
const work = { name: 'Upgrade', every: { from: '01:00', to: '02:00' } }
const statusPage = { page: 'public', title: 'First', groups: [{ name: 'All', services: [{ id: node.id }] }] }
const server = { name: 'tools', title: 'First', members: [{ gateway: true }] }
const account = { level: 'account' }

async function change(procedure: string, input: unknown): Promise<void> {
  expect((await other.mutate(procedure, input)).error).toBeUndefined()
}

beforeAll(async () => {
  if (!isReady) return
  subject = await startConsole({ services: [node] })
  other = await signInAt(subject.server.url, subject.operator)
  await change('alertRules.create', rule)
  await change('channels.create', channel)
  await change('maintenance.create', work)
  await change('statusPages.save', { spec: statusPage, isNew: true })
  await change('virtualServers.save', { spec: server, isNew: true })
  await change('toolPolicies.save', { subject: account, policy: { deny: ['delete_*'] } })
}, 60_000)

afterAll(() => subject?.stop())

const byButton = (name: string) => (page: Page) => page.getByRole('button', { name, exact: true }).click()
const byMenu = (name: string | RegExp) => async (page: Page) => {
  await page.getByRole('button', { name }).press('Enter')
  await page.getByRole('menuitem', { name: 'Edit' }).press('Enter')
}

const edited = [
  {
    path: '/alerts?tab=rules',
    open: byMenu('Actions of “Down”'),
    alter: () => change('alertRules.update', { ...rule, when: { decision: ['DOWN'], for: '2m' } }),
  },
  {
    path: '/alerts?tab=channels',
    open: byMenu('Actions of “ops”'),
    alter: () => change('channels.update', { name: 'ops', type: 'alertmanager', user: 'second' }),
  },
  {
    path: '/alerts?tab=silences',
    open: byMenu('Actions of “Upgrade”'),
    alter: () => change('maintenance.update', { ...work, every: { from: '01:00', to: '03:00' } }),
  },
  {
    path: '/status-pages',
    open: byButton('Edit public'),
    alter: () => change('statusPages.save', { spec: { ...statusPage, title: 'Second' } }),
  },
  {
    path: '/gateway?tab=virtual-servers',
    open: byButton('Edit tools'),
    alter: () => change('virtualServers.save', { spec: { ...server, title: 'Second' } }),
  },
  {
    path: '/gateway?tab=policies',
    open: byMenu(/^Actions of the policy of/),
    alter: () => change('toolPolicies.save', { subject: account, policy: { deny: ['drop_*'] } }),
  },
]

test.skipIf(!isReady)(
  'that is said in every form, and not before',
  async () => {
    const { context } = await subject.visit(subject.operator)
    const windows = await Promise.all(
      edited.map(async ({ path, open, alter }) => {
        const page = await context.newPage()
        await page.goto(path)
        await open(page)
        const form = page.getByRole('dialog')
        await form.getByRole('button', { name: /^Save/ }).waitFor()
        const notice = form.getByText('This was changed elsewhere meanwhile')
        return { path, notice, isEarly: await notice.isVisible(), alter }
      }),
    )
    for (const { alter } of windows) await alter()
    const told = await Promise.all(
      windows.map(async ({ path, notice, isEarly }) => {
        await notice.waitFor({ timeout: 20_000 }).catch(() => undefined)
        return { path, isEarly, isTold: await notice.isVisible() }
      }),
    )
    expect(told).toEqual(edited.map(({ path }) => ({ path, isEarly: false, isTold: true })))
    await context.close()
  },
  60_000,
)
