import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import type { Browser, Page } from 'playwright-core'

import { launchChromium } from '../../scripts/world/chromium.ts'
import { complaintsOf, excessWidth, looks, violationsOn } from '../../scripts/world/console-under-test.ts'
import { testDatabase } from '../../scripts/world/database.ts'
import type { TestDatabase } from '../../scripts/world/database.ts'
import { createTestInstallation } from '../../scripts/world/gatehouse-process.ts'
import type { GatehouseProcess, TestInstallation } from '../../scripts/world/gatehouse-process.ts'
import { givePast } from '../../scripts/world/past-health.ts'
import { waitUntil } from '../../scripts/world/wait-until.ts'
import { healthClient } from '../support/health-client.ts'
import type { IncidentStart } from '../../shared/status-pages.ts'
import { needs } from '../support/needs.ts'
import { type Receivers, startReceivers } from '../support/receivers.ts'
import { quicklyJudged, startProbedEndpoints } from '../support/probed-endpoints.ts'

const endpoints = startProbedEndpoints()
const ownHost = 'status.acme.example'

/** In everything that nobody chose to show. */
const marker = 'zzsecret'
const alone = { minLive: 1 }
const mainnet = { ...quicklyJudged(`${marker}-a`, `${marker} mainnet`, `${marker} Provider`, `${endpoints.good}?${marker}`, alone), objective: 99.95, labels: [marker] } // prettier-ignore
const services = [
  mainnet,
  quicklyJudged(
    `${marker}-b`,
    `${marker} archive`,
    `${marker} Provider`,
    `${endpoints.dead}?${marker}`,
    alone,
  ),
  quicklyJudged(`${marker}-c`, `${marker} base`, `${marker} Provider`, `${endpoints.slow}?${marker}`, alone),
  quicklyJudged('gateway', 'Gateway for agents', `${marker} Provider`, endpoints.good, alone),
  quicklyJudged(`${marker}-unchosen`, `${marker} unchosen`, `${marker} Provider`, endpoints.dead, alone),
]
const pageOf = (page: string, title: string, more: object = {}) => ({
  page,
  title,
  groups: [
    {
      name: 'Ethereum and layer 2',
      services: [
        { id: `${marker}-a`, as: 'Ethereum' },
        { id: `${marker}-b`, as: 'Ethereum archive' },
        { id: `${marker}-c`, as: 'Base' },
      ],
    },
    { name: 'Tools', services: [{ id: 'gateway' }] },
  ],
  ...more,
})
const subscribable = { hosts: [ownHost], emailChannel: 'mail', webhooks: true }

let receivers: Receivers
let database: TestDatabase
let installation: TestInstallation
let server: GatehouseProcess

beforeAll(async () => {
  database = await testDatabase()
  await givePast(database.database, `${marker}-a`, Date.now())
  receivers = await startReceivers()
  installation = await createTestInstallation({
    services,
    channels: [{ name: 'mail', type: 'email', smtp: receivers.smtp, from: 'Acme <status@acme.example>' }],
    status: [pageOf('main', 'Acme nodes', subscribable)],
  })
  server = await installation.start({ DATABASE_URL: database.url })
  await healthClient(server.url).until({
    [`${marker}-a`]: 'UP',
    [`${marker}-b`]: 'DOWN',
    [`${marker}-c`]: 'LATENCY',
  })
  await waitUntil('the page shows it', async () => {
    const page = await read('/status/main')
    return page.includes('Ethereum archive does not answer') && page.includes('Base is slow')
  })
})
afterAll(async () => {
  await installation?.remove()
  await database?.drop()
  await receivers?.stop()
  await endpoints.stop()
})

const ask = (path: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${server.url}${path}`, { headers, redirect: 'manual' })
const read = async (path: string, headers: Record<string, string> = {}): Promise<string> =>
  (await ask(path, headers)).text()
const operator = () => server.operator.statusPages

describe('a page', () => {
  test('says how the chosen services are, under the names that were chosen', async () => {
    const html = await read('/status/main')
    expect(html).toContain('<h1><bdi>Acme nodes</bdi></h1>')
    expect(html).toContain('Two of four services have problems')
    for (const name of ['Ethereum', 'Ethereum archive', 'Base', 'Gateway for agents'])
      expect(html).toContain(`<bdi>${name}</bdi>`)
    expect(Buffer.byteLength(html)).toBeLessThan(50_000)
    const json = await (await ask('/status/main.json')).json()
    expect(json).toMatchObject({ page: 'main', title: 'Acme nodes', state: 'down' })
    const [{ services: shown }] = json.groups
    expect(shown.map(({ name, state }: { name: string; state: string }) => [name, state])).toEqual([
      ['Ethereum', 'working'],
      ['Ethereum archive', 'down'],
      ['Base', 'slow'],
    ])
    const [{ days }] = shown
    expect(days).toHaveLength(90)
    expect(days.filter((day: string) => day === 'down').length).toBeWithin(3, 7)
    expect(shown[1].days.slice(0, 89)).toEqual(Array.from({ length: 89 }, () => 'none'))
    const atom = await read('/status/main.atom')
    expect(atom).toContain('<title>Ethereum archive does not answer</title>')
    expect(atom).toContain('<title>Ethereum did not answer (over)</title>')
  })

  test('is the same bytes until something changes, and 304 to who has them', async () => {
    for (const path of ['/status', '/status/main', '/status/main.json', '/status/main.atom']) {
      const first = await ask(path)
      const etag = first.headers.get('etag') ?? ''
      expect([path, first.status, etag]).toEqual([path, 200, expect.stringMatching(/^W\/".{22}"$/)])
      expect(first.headers.get('cache-control')).toContain('public')
      expect(first.headers.get('content-security-policy')).toMatch(/^default-src 'none'; style-src 'sha256-/)
      expect(first.headers.get('x-content-type-options')).toBe('nosniff')
      expect(first.headers.get('x-request-id')).toBeString()
      expect(first.headers.get('set-cookie')).toBeNull()
    }
    await waitUntil('an unchanged page', async () => {
      const etag = (await ask('/status/main')).headers.get('etag') ?? ''
      const again = await ask('/status/main', { 'if-none-match': etag })
      return again.status === 304 && (await again.text()) === ''
    })
  })

  test('that is not there, or not published, is not found', async () => {
    const spec = { ...pageOf('hidden', 'Hidden'), published: false, listed: true, hosts: [] }
    const view = await operator().save.mutate({ spec, isNew: true })
    for (const path of [
      '/status/hidden',
      '/status/hidden.json',
      '/status/none',
      '/status/hidden~0123456789abcdef',
      '/status/MAIN',
      '/status/main.xml',
    ])
      // prettier-ignore
      expect([path, (await ask(path)).status]).toEqual([path, 404])
    const seen = await ask('/status/none', { accept: 'text/html' })
    expect([seen.status, seen.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
    expect(await read('/status')).not.toContain('/status/hidden')
    const preview = new URL(view?.previewUrl ?? '').pathname
    const answer = await ask(preview)
    expect([answer.status, answer.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(await answer.text()).toContain('A preview: this page is not published.')
    await operator().save.mutate({ spec: { ...spec, published: true }, isNew: false })
    expect((await ask('/status/hidden')).status).toBe(200)
    expect((await ask(preview)).status).toBe(404)
    await operator().remove.mutate({ page: 'hidden' })
    expect((await ask('/status/hidden')).status).toBe(404)
  })

  test('stands alone under its own host', async () => {
    const page = await ask('/', { host: `${ownHost}:8443` })
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8'])
    expect(await page.text()).toContain('Acme nodes')
    expect((await ask('/status/main.json', { host: ownHost })).status).toBe(200)
    for (const path of ['/services', '/sign-in', '/status', '/health/gateway', '/metrics', '/openapi.json'])
      expect([path, (await ask(path, { host: ownHost })).status]).toEqual([path, 404])
    const post = await fetch(`${server.url}/trpc/accounts.setup`, {
      method: 'POST',
      headers: { host: ownHost },
    })
    expect(post.status).toBe(403)
    expect((await ask('/', { host: 'status.other.example' })).status).toBe(403)
  })

  test('of the file is changed only there, and a service that does not exist is refused', async () => {
    const spec = { ...pageOf('main', 'Taken over'), published: true, listed: true, hosts: [] }
    const refused = await operator()
      .save.mutate({ spec, isNew: false })
      .catch((error: Error) => error)
    expect(String(refused)).toContain("is described in the installation's file")
    const groups = [{ name: 'A', services: [{ id: 'nobody' }] }]
    const unknown = { ...spec, page: 'other', groups }
    const other = await operator()
      .save.mutate({ spec: unknown, isNew: true })
      .catch((error: Error) => error)
    expect(String(other)).toContain('groups: no service of the id nobody is registered')
  })
})

describe('incidents', () => {
  test('are told by operators, in place of what was seen, until they are resolved', async () => {
    const { id } = await operator().startIncident.mutate({
      page: 'main',
      kind: 'incident',
      title: 'Ethereum archive is being repaired',
      services: [`${marker}-b`],
      stage: 'investigating',
      text: 'The node refused connections.\n<b>We look into it.</b>',
    })
    let html = await read('/status/main')
    expect(html).toContain('<h3><bdi>Ethereum archive is being repaired</bdi>')
    expect(html).toContain(
      '<b>Investigating.</b> The node refused connections.<br>&lt;b&gt;We look into it.&lt;/b&gt;',
    )
    expect(html).not.toContain('Ethereum archive does not answer')
    await operator().updateIncident.mutate({ id, stage: 'identified', text: 'A disk failed.' })
    html = await read('/status/main')
    expect(html.indexOf('<b>Identified.</b> A disk failed.')).toBeLessThan(
      html.indexOf('<b>Investigating.</b>'),
    )
    expect(await read('/status/main.atom')).toContain('A disk failed.')
    await operator().updateIncident.mutate({ id, stage: 'resolved', text: 'A new disk is in.' })
    html = await read('/status/main')
    expect(html).toMatch(
      /<b><bdi>Ethereum archive is being repaired<\/bdi> for \d+ min\.<\/b> A new disk is in\./,
    )
    await operator().removeIncident.mutate({ id })
    expect(await read('/status/main')).not.toContain('is being repaired')
  })

  test('and planned work stand on the page that they are for', async () => {
    const startsAt = Date.now() + 86_400_000
    const work: IncidentStart = { page: 'main', kind: 'maintenance', title: 'New disks', services: ['gateway'], startsAt, endsAt: startsAt + 3_600_000, stage: 'planned', text: 'Calls are answered by the second node.' } // prettier-ignore
    const { id } = await operator().startIncident.mutate(work)
    const html = await read('/status/main')
    expect(html).toContain('<h2>Planned maintenance</h2>')
    expect(html).toMatch(/<bdi>New disks<\/bdi> .*From \d+ \w+, \d\d:\d\d UTC/)
    const wrong = { ...work, services: [`${marker}-unchosen`] }
    const refused = await operator()
      .startIncident.mutate(wrong)
      .catch((error: Error) => error)
    expect(String(refused)).toContain(`services: ${marker}-unchosen is not on this page`)
    await operator().removeIncident.mutate({ id })
  })

  test('are for operators', async () => {
    for (const name of ['list', 'incidents', 'report'])
      expect((await ask(`/trpc/statusPages.${name}`)).status).toBeOneOf([400, 401, 403])
  })
})

const send = (path: string, fields: Record<string, string> = {}, headers: Record<string, string> = {}) =>
  fetch(`${server.url}${path}`, { method: 'POST', body: new URLSearchParams(fields), headers })
const form = (fields: Record<string, string>, headers = {}) => send('/status/main/subscribers', fields, headers) // prettier-ignore
const mailTo = async (address: string, count: number): Promise<string> => {
  const ofAddress = () => receivers.mails.filter(({ to }) => to.includes(address))
  await waitUntil(`${count} mails to ${address}`, () => ofAddress().length >= count)
  return (ofAddress()[count - 1]?.text ?? '').replaceAll('=\r\n', '').replaceAll('=3D', '=')
}
/** The path of the link in a mail; the page has a host of its own. */
const linkIn = (mail: string, name: string): string =>
  new RegExp(`https://${ownHost}(/status/main/${name}/gsu_[\\w-]+)`).exec(mail)?.[1] ?? ''

describe('people who subscribe', () => {
  const ann = 'ann@example.com'

  test('confirm by the link in a mail, are told of what happens, and leave with one request', async () => {
    const html = await read('/status/main', { host: ownHost })
    expect(html).toContain('<form method="post" action="/status/main/subscribers">')
    const asked = await form({ kind: 'email', address: ann }, { host: ownHost })
    const again = await form({ kind: 'email', address: ann })
    expect([asked.status, await again.text()]).toEqual([200, await asked.text()])
    const confirm = linkIn(await mailTo(ann, 1), 'confirm')
    // Programs that open the links of mails confirm nothing.
    for (const answer of [await ask(confirm), await ask(confirm, { host: ownHost })])
      expect([answer.status, (await answer.text()).includes('<button>Confirm</button>')]).toEqual([200, true])
    expect(await operator().subscriberCounts.query()).toMatchObject([{ email: 0, waiting: 1 }])
    const done = await send(confirm, {}, { host: ownHost })
    expect([done.status, await done.text()]).toEqual([200, expect.stringContaining('You are subscribed')])
    expect((await send(confirm)).status).toBe(410)
    expect(await operator().subscriberCounts.query()).toMatchObject([{ email: 1, waiting: 0 }])

    const start: IncidentStart = { page: 'main', kind: 'incident', title: 'Base is slow today', services: [`${marker}-c`], stage: 'investigating', text: 'We look into it.' } // prettier-ignore
    const { id } = await operator().startIncident.mutate(start)
    const mail = await mailTo(ann, 2)
    expect(mail).toContain('Subject: [Acme nodes] Investigating: Base is slow today')
    expect(mail).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
    expect(mail).toContain('Services: Base')
    expect(mail).not.toContain(marker)
    await operator().updateIncident.mutate({ id, stage: 'monitoring', text: 'Quietly.', notify: false })
    await operator().updateIncident.mutate({ id, stage: 'resolved', text: 'It is over.' })
    expect(await mailTo(ann, 3)).toContain('Resolved: Base is slow today')

    const leave = linkIn(mail, 'unsubscribe')
    expect((await ask(leave)).status).toBe(200)
    expect(await operator().subscriberCounts.query()).toMatchObject([{ email: 1 }])
    expect((await send(leave, { 'List-Unsubscribe': 'One-Click' })).status).toBe(200)
    expect(await operator().subscriberCounts.query()).toEqual([])
    await operator().removeIncident.mutate({ id })
    expect(receivers.mails.filter(({ to }) => to.includes(ann))).toHaveLength(3)
  })

  test('are told what is wrong with what they enter', async () => {
    const wrong = [
      [{ kind: 'email', address: 'nobody' }, 400, 'Enter an e-mail address such as'],
      [{ kind: 'email', address: 'a@example.com, b@example.com' }, 400, 'Enter an e-mail address such as'],
      [{ kind: 'webhook', address: 'http://example.com/' }, 400, 'Enter an address such as https://'],
      // The installation may reach private addresses, and strangers may not have it do so.
      [{ kind: 'webhook', address: receivers.url.replace('http:', 'https:') }, 400, 'Enter a public address'],
      [{ kind: 'fax', address: ann }, 400, 'no such subscription'],
    ] as const
    for (const [fields, status, said] of wrong) {
      const answer = await form(fields)
      const text = await answer.text()
      expect([fields, answer.status, text.includes(said)]).toEqual([fields, status, true])
    }
    expect((await form({ kind: 'email', address: ann }, { 'sec-fetch-site': 'cross-site' })).status).toBe(403)
    expect((await send('/status/none/subscribers')).status).toBe(404)
    const answers = await Promise.all(Array.from({ length: 12 }, () => form({ kind: 'email', address: 'x' })))
    expect(answers.some(({ status, headers }) => status === 429 && headers.has('retry-after'))).toBe(true)
  })
})

test('nothing that was not chosen is on a page, in whatever form', async () => {
  await server.operator.services.startMaintenance.mutate({
    id: 'gateway',
    until: Date.now() + 3_600_000,
    note: `${marker} note`,
  })
  await waitUntil('the work is shown', async () => (await read('/status/main')).includes('Until '))
  for (const path of ['/status', '/status/main', '/status/main.json', '/status/main.atom']) {
    const answer = await ask(path)
    const all = `${await answer.text()}${JSON.stringify([...answer.headers])}`
    expect([path, all.includes(marker), all.includes('127.0.0.1')]).toEqual([path, false, false])
  }
  await server.operator.services.endMaintenance.mutate({ id: 'gateway' })
})

test('the report of a month counts what was watched against the objective', async () => {
  const month = new Date().toISOString().slice(0, 7)
  const report = await operator().report.query({ month, objective: 99.5 })
  const row = report.rows.find(({ serviceId }) => serviceId === `${marker}-a`)
  expect(report.rows).toHaveLength(services.length)
  expect(row?.availability).toBeWithin(0.5, 1.000_001)
  expect(row?.budgetMs).toBe(Math.round((row?.countedMs ?? 0) * 0.005))
  const sum =
    (row?.countedMs ?? 0) + (row?.unknownMs ?? 0) + (row?.notWatchedMs ?? 0) + (row?.maintenanceMs ?? 0)
  expect(Math.abs(sum - (report.to - report.from))).toBeLessThan(5)
  const { rows } = await operator().report.query({ month })
  expect(new Map(rows.map((one) => [one.serviceId, one.objective])).get(`${marker}-a`)).toBe(99.95)
  const bad = await operator()
    .report.query({ month: '2026-13' })
    .catch((error: Error) => error)
  expect(String(bad)).toContain('expected a month such as 2026-10')
})

describe.skipIf(!needs('chromium-headless-shell'))('in a browser without script', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  async function look(path: string, { width, height }: (typeof looks)[number], hasScript: boolean) {
    const context = await browser.newContext({
      viewport: { width, height },
      javaScriptEnabled: hasScript,
      baseURL: server.url,
    })
    const page: Page = await context.newPage()
    const complaints = complaintsOf(page, [server.url])
    await page.goto(path)
    return { page, complaints }
  }

  test.each(looks)('$name: it is whole, and nobody objects', async (one) => {
    for (const path of ['/status', '/status/main', '/status/main/unsubscribe/gsu_none']) {
      const { page, complaints } = await look(path, one, false)
      await page.getByRole('heading', { level: 1 }).waitFor()
      const folder = process.env['GATEHOUSE_TEST_PICTURES']
      if (folder !== undefined)
        await page.screenshot({
          path: `${folder}${path.replaceAll('/', '-')}-${one.name}.png`,
          fullPage: true,
        })
      if (path === '/status/main') {
        await page.getByText('Two of four services have problems').waitFor()
        await page.locator('summary').click()
        await page.getByLabel('E-mail').waitFor()
        await page.getByRole('link', { name: 'Atom feed' }).waitFor()
        if (folder !== undefined) await page.screenshot({ path: `${folder}-subscribe-${one.name}.png` })
      }
      expect(complaints).toEqual([])
      await page.context().close()
      const scripted = await look(path, one, true)
      if (path === '/status/main') await scripted.page.locator('summary').click()
      expect(await violationsOn(scripted.page)).toEqual([])
      expect(await excessWidth(scripted.page)).toBe(0)
      await scripted.page.context().close()
    }
  })
})
