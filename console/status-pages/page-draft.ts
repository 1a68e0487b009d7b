import * as z from 'zod/mini'

import type { ValidationIssue } from '../../shared/issue-words.ts'
import { StatusPageSave, type StatusPageSpec } from '../../shared/status-pages.ts'
import { type FormReading, issueText, specErrors } from '../forms/field-errors.ts'

interface ServiceDraft {
  readonly id: string
  readonly as: string
}

export interface GroupDraft {
  readonly name: string
  readonly services: readonly ServiceDraft[]
}

/** A status page as it is typed. */
export interface PageDraft {
  page: string
  title: string
  published: boolean
  listed: boolean
  hosts: readonly string[]
  /** A `data:` address; empty for none. */
  logo: string
  groups: readonly GroupDraft[]
  /** The channel over which mails go to subscribers; empty for no mails. */
  emailChannel: string
  webhooks: boolean
}

export const pageFields = ['page', 'title', 'hosts', 'logo', 'groups', 'emailChannel'] as const

/** A page that is made begins unpublished, so that it can be looked at first. */
export const draftOfPage = (spec: StatusPageSpec | null): PageDraft => ({
  page: spec?.page ?? '',
  title: spec?.title ?? '',
  published: spec?.published ?? false,
  listed: spec?.listed ?? true,
  hosts: spec?.hosts ?? [],
  logo: spec?.logo ?? '',
  groups: spec?.groups.map(({ name, services }) => ({
    name,
    services: services.map(({ id, as = '' }) => ({ id, as })),
  })) ?? [{ name: 'Services', services: [] }],
  emailChannel: spec?.emailChannel ?? '',
  webhooks: spec?.webhooks ?? false,
})

/** Moves an entry one place up or down; at the end of the list nothing changes. */
export function moved<Entry>(entries: readonly Entry[], place: number, by: -1 | 1): readonly Entry[] {
  const entry = entries[place]
  const to = place + by
  if (entry === undefined || to < 0 || to >= entries.length) return entries
  return entries.toSpliced(place, 1).toSpliced(to, 0, entry)
}

/** What is missing gets a sentence of its own; the rest is told as the schema has it. */
export function readPageDraft(draft: PageDraft, isNew: boolean): FormReading<StatusPageSave> {
  const { page, title, published, listed, hosts, logo, groups, emailChannel, webhooks } = draft
  const isEmpty = groups.length === 0 || groups.some(({ services }) => services.length === 0)
  const missing = {
    ...(page.trim() === '' && { page: 'Enter a name, which is the end of its address.' }),
    ...(title.trim() === '' && { title: 'Enter a title, which visitors read first.' }),
    ...(groups.some(({ name }) => name.trim() === '') && { groups: 'Give each group a name.' }),
    ...(isEmpty && { groups: 'Add at least one service to each group.' }),
  }
  const read = z.safeParse(StatusPageSave, {
    isNew,
    spec: {
      page: page.trim(),
      title,
      published,
      listed,
      hosts: hosts.map((host) => host.toLowerCase()),
      ...(logo !== '' && { logo }),
      ...(emailChannel !== '' && { emailChannel }),
      ...(webhooks && { webhooks }),
      groups: groups.map(({ name, services }) => ({
        name,
        services: services.map(({ id, as }) => ({ id, ...(as.trim() !== '' && { as }) })),
      })),
    },
  })
  if (read.success && Object.keys(missing).length === 0) return { kind: 'value', value: read.data }
  const wrong = specErrors(read.error?.issues ?? [], pageFields, pageWords)
  return { kind: 'wrong', errors: { ...wrong, ...missing } }
}

/** The groups have one place for what is wrong in any of them. */
function pageWords(issue: ValidationIssue): string {
  const [field, group] = issue.path ?? []
  const words = issueText(issue)
  return field === 'groups' && typeof group === 'number' ? `Group ${group + 1}: ${words}` : words
}
