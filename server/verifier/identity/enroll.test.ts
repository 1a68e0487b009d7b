import { afterAll, afterEach, beforeEach, expect, test } from 'bun:test'
import { mkdtemp, readFile, readdir, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { systemClock } from '../../platform/clock.ts'
import { createEgress } from '../../platform/egress.ts'
import { type EnrolmentOutcome, enrol } from './enroll.ts'
import { assignments } from '../test-support/fixtures.ts'
import { type ReportServer, startReportServer } from '../test-support/report-server.ts'

const egress = createEgress({ clock: systemClock, schemes: ['http'], allowPrivate: ['127.0.0.0/8'] })
afterAll(() => egress.close())

let folder: string
let server: ReportServer
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'gatehouse-enrol-'))
  server = startReportServer('gvt_good', assignments([]))
})
afterEach(async () => {
  await server.stop()
  await rm(folder, { recursive: true })
})

const enrolWith = (token: string | null, serverUrl = server.url): Promise<EnrolmentOutcome> =>
  enrol({ serverUrl, token, name: 'tester', region: 'here', folder, egress })

function messageOf(enrolment: EnrolmentOutcome): string {
  if (enrolment.kind !== 'refused') throw new Error('expected a refusal')
  return enrolment.message
}

function enrolledOf(enrolment: EnrolmentOutcome) {
  if (enrolment.kind !== 'enrolled') throw new Error(enrolment.message)
  return enrolment
}

test('a token enrols a new key; later starts need no token, and the same one does no harm', async () => {
  const first = enrolledOf(await enrolWith('gvt_good'))
  expect([first.isNew, first.state.verifierId]).toEqual([true, 'ver_1'])
  expect((await readdir(folder)).toSorted()).toEqual(['verifier-key.pem', 'verifier.json'])
  await first.state.saveSeq(99)
  for (const token of [null, 'gvt_good']) {
    const again = enrolledOf(await enrolWith(token))
    expect([again.isNew, again.state.verifierId, again.state.lastSeq()]).toEqual([false, 'ver_1', 99])
    expect(again.identity.publicKey).toBe(first.identity.publicKey)
  }
  expect(server.paths).toHaveLength(1)
})

test('the token itself is not kept', async () => {
  await enrolWith('gvt_good')
  for (const file of await readdir(folder)) {
    expect(await readFile(join(folder, file), 'utf8')).not.toContain('gvt_good')
  }
})

test('a new token replaces the verifier, key included', async () => {
  const first = enrolledOf(await enrolWith('gvt_good'))
  const second = startReportServer('gvt_new', assignments([]))
  const replaced = enrolledOf(await enrolWith('gvt_new', second.url))
  await second.stop()
  expect(replaced.isNew).toBe(true)
  expect(replaced.identity.publicKey).not.toBe(first.identity.publicKey)
  expect(enrolledOf(await enrolWith(null)).identity.publicKey).toBe(replaced.identity.publicKey)
})

test('a refused token leaves the folder as it was', async () => {
  expect(messageOf(await enrolWith('gvt_bad'))).toBe('The server refused: refused with unauthorized.')
  expect(await readdir(folder)).toEqual([])
  const first = enrolledOf(await enrolWith('gvt_good'))
  await enrolWith('gvt_bad')
  expect(enrolledOf(await enrolWith(null)).identity.publicKey).toBe(first.identity.publicKey)
})

test('what is missing or damaged is said in a sentence', async () => {
  expect(messageOf(await enrolWith(null))).toBe(
    `${folder} holds no verifier yet; give the one-time --token that an operator has made.`,
  )
  expect(messageOf(await enrolWith('gvt_good', 'http://127.0.0.1:1'))).toBe(
    'http://127.0.0.1:1 cannot be reached (CONNECT).',
  )
  server.answerOnceWith(new Response('hello'))
  expect(messageOf(await enrolWith('gvt_good'))).toBe(
    `${server.url} does not answer as a Gatehouse server does.`,
  )
  await enrolWith('gvt_good')
  await rm(join(folder, 'verifier-key.pem'))
  expect(messageOf(await enrolWith(null))).toBe(`${folder} has lost its key; enrol again with a new --token.`)
  await writeFile(join(folder, 'verifier.json'), '{')
  expect(messageOf(await enrolWith(null))).toContain('is damaged')
})

test('a folder that cannot be written costs no token', async () => {
  const nowhere = join(folder, 'link')
  await symlink(join(folder, 'none', 'none'), nowhere)
  const refused = await enrol({
    serverUrl: server.url,
    token: 'gvt_good',
    name: 'tester',
    region: 'here',
    folder: nowhere,
    egress,
  })
  expect(messageOf(refused)).toStartWith(`${nowhere} cannot be written (E`)
  expect(messageOf(refused)).toContain('the token was not used')
  expect(server.paths).toEqual([])
  enrolledOf(await enrolWith('gvt_good'))
})
