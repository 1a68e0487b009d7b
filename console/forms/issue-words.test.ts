import { expect, test } from 'bun:test'
import * as z from 'zod/mini'

import { emptyChainForm, readChain } from '../chains/chain-form.ts'
import { newChannelDraft, readNewChannel } from '../alerts/channel-draft.ts'
import { newMaintenanceDraft, readMaintenanceDraft } from '../alerts/maintenance-draft.ts'
import { newRuleDraft, readRuleDraft } from '../alerts/rule-draft.ts'
import { draftOfServer, readServerDraft } from '../gateway/virtual-server-draft.ts'
import { draftOfPage, readPageDraft } from '../status-pages/page-draft.ts'
import { IncidentStart } from '../../shared/status-pages.ts'
import { type FieldErrors, type FormReading, issueErrors } from './field-errors.ts'

const long = 'x'.repeat(20_000)
const group = { name: 'All', services: [{ id: 'node', as: '' }] }
const page = { ...draftOfPage(null), page: 'main', title: 'Nodes', groups: [group] }
const many = Array.from({ length: 41 }, (_, n) => ({ id: `node-${n}`, as: '' }))
const chain = { ...emptyChainForm(), key: 'new', name: 'New' }
const family = { chainIdForm: 'integer', genesisHashForm: null } as const
const mail = { ...newChannelDraft('email'), name: 'ops', smtp: 'smtps://mail.example', to: ['a@b.example'] }

const errorsOf = (reading: FormReading<unknown>): FieldErrors =>
  reading.kind === 'wrong' ? reading.errors : {}
const errorsOfPage = (part: Partial<typeof page>): FieldErrors =>
  errorsOf(readPageDraft({ ...page, ...part }, true))
const incident = { page: 'main', kind: 'incident', title: 'Slow', stage: 'investigating', text: 'We look.' }
const errorsOfIncident = (part: object): FieldErrors =>
  issueErrors(z.safeParse(IncidentStart, { ...incident, ...part }).error?.issues ?? [], ['title', 'text'])

const told: readonly (readonly [string, FieldErrors, FieldErrors])[] = [
  ['an update', errorsOfIncident({ text: long }), { text: 'Expected at most 1000 characters.' }],
  ['a title', errorsOfIncident({ title: long }), { title: 'Expected at most 120 characters.' }],
  ['the title of a page', errorsOfPage({ title: long }), { title: 'Expected at most 80 characters.' }],
  [
    'a group of a page',
    errorsOfPage({ groups: [group, { name: long, services: [{ id: 'other', as: '' }] }] }),
    { groups: 'Group 2: expected at most 80 characters.' },
  ],
  [
    'the services of a page',
    errorsOfPage({ groups: [{ name: 'All', services: many }] }),
    { groups: 'Group 1: expected at most 40 entries.' },
  ],
  [
    'the numbers of a chain',
    errorsOf(readChain({ ...chain, blockMs: '0.5', futureTolSec: '1,5', finalityDepth: '-1' }, family, null)),
    {
      blockMs: 'Expected a whole number.',
      futureTolSec: 'Expected a number.',
      finalityDepth: 'Expected a number of at least 0.',
    },
  ],
]

test.each(told)('a form says what is allowed in %s', (_what, errors, expected) => {
  expect(errors).toEqual(expected)
})

const refused: readonly (readonly [string, FieldErrors])[] = [
  ['a channel', errorsOf(readNewChannel({ ...mail, from: long, name: long }))],
  ['a rule', errorsOf(readRuleDraft({ ...newRuleDraft([]), name: long }, true))],
  ['planned work', errorsOf(readMaintenanceDraft({ ...newMaintenanceDraft(0), name: long, reason: long }))],
  ['a virtual server', errorsOf(readServerDraft({ ...draftOfServer(null), name: 'a', title: long }, true))],
  ['a logo', errorsOfPage({ logo: `data:image/png;base64,${long}` })],
]

test.each(refused)('%s that is too long is not refused in words that say nothing', (_what, errors) => {
  expect(Object.keys(errors)).not.toEqual([])
  expect(Object.values(errors).join(' ')).not.toContain('Invalid input')
})
