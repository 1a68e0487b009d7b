import {
  type IncidentStart,
  type IncidentUpdate,
  type StatusIncident,
  type StatusPageSpec,
  lastStages,
  stagesOf,
  statusPageBounds,
} from '../../shared/status-pages.ts'
import type { KeyReplicas } from '../keys/key-replicas.ts'
import type { TransactionSql } from '../platform/database.ts'
import { type Fault, fault } from '../platform/fault.ts'
import { randomHex, randomId } from '../platform/ids.ts'
import { shownDays } from './page-model.ts'
import type { RecordStatusChange, StatusPageEvent } from './status-page-event.ts'
import type { StatusPageStore } from './store.ts'
import type { PageSubscribers } from './subscribers/subscribers.ts'

export interface StatusPageChangesOptions {
  readonly replicas: Pick<KeyReplicas, 'change'>
  readonly store: StatusPageStore
  readonly now: () => number
  /** Of what was over before this instant pages tell nothing. */
  readonly since: () => number
  /** The pages of the installation's file, which are changed only there. */
  readonly ofFile: () => readonly StatusPageSpec[]
  /** The services that exist, by their ids. */
  readonly hasService: (id: string) => boolean
  readonly hasMailChannel: (name: string) => boolean
  readonly subscribers: Pick<PageSubscribers, 'announce' | 'keepWanted'>
}

/** The changes of operators: each is one transaction with its audit entry, and holds in every process when it returns. */
export function createStatusPageChanges(options: StatusPageChangesOptions) {
  const { replicas, store, since, ofFile, subscribers } = options
  const now = (): number => Math.floor(options.now())

  function requireOwn(page: string): void {
    if (!ofFile().some((spec) => spec.page === page)) return
    throw fault('conflict', `page: “${page}” is described in the installation's file; change it there`)
  }

  async function changeIncident(
    id: string,
    change: (sql: TransactionSql, incident: StatusIncident) => Promise<void>,
  ): Promise<void> {
    await replicas.change('status_page', async (sql) => {
      const incident = await store.lockIncident(sql, id)
      if (incident === null) throw noSuchIncident()
      await change(sql, incident)
      return { ids: [incident.page], result: null }
    })
  }

  return {
    /** Saves a page. Faults: `invalid_request`, `conflict`. */
    async save(spec: StatusPageSpec, isNew: boolean, record: RecordStatusChange): Promise<void> {
      requireOwn(spec.page)
      requireKnown(spec, options)
      await replicas.change('status_page', async (sql) => {
        const all = await store.lock(sql)
        const before = all.find((one) => one.spec.page === spec.page)
        if (before !== undefined && isNew)
          throw fault('conflict', 'page: there is a status page of that name')
        if (before === undefined && all.length >= statusPageBounds.pages)
          throw fault(
            'conflict',
            `There are at most ${statusPageBounds.pages} status pages: delete one first`,
          )
        requireFreeHosts(spec, [...ofFile(), ...all.map((one) => one.spec)])
        await store.save(sql, { spec, revision: randomHex(8), updatedAt: now() })
        await subscribers.keepWanted(sql, spec.page, spec)
        await record(sql, {
          ...whatOf(before === undefined ? 'status_page.create' : 'status_page.update', spec.page),
          ...(before !== undefined && { before: factsOf(before.spec) }),
          after: factsOf(spec),
        })
        return { ids: [spec.page], result: null }
      })
    },

    /** Removes a page with its incidents and subscribers. Faults: `not_found`, `conflict`. */
    async remove(page: string, record: RecordStatusChange): Promise<void> {
      requireOwn(page)
      await replicas.change('status_page', async (sql) => {
        const before = (await store.lock(sql)).find(({ spec }) => spec.page === page)
        if (before === undefined) throw fault('not_found', 'There is no such status page')
        await store.remove(sql, page)
        await subscribers.keepWanted(sql, page, null)
        await record(sql, { ...whatOf('status_page.delete', page), before: factsOf(before.spec) })
        return { ids: [page], result: null }
      })
    },

    /** Publishes an incident or planned work, and returns its id. Faults: `not_found`, `invalid_request`, `conflict`. */
    async startIncident(given: IncidentStart, record: RecordStatusChange): Promise<{ id: string }> {
      const { page, kind, title, services, stage, text, notify = true } = given
      const incident = newIncident(given, now())
      if (incident.isOver && incident.endsAt !== null && incident.endsAt < since())
        throw fault('invalid_request', `endsAt: pages tell of ${shownDays} days only, and it was over before`)
      await replicas.change('status_page', async (sql) => {
        const spec = await findSpec(sql, page, options)
        if (spec === undefined) throw fault('not_found', 'There is no such status page')
        requireShown(spec, services)
        if ((await store.countIncidents(sql, page, since())) >= statusPageBounds.incidents)
          throw fault(
            'conflict',
            `A page has at most ${statusPageBounds.incidents} incidents: delete some first`,
          )
        await store.saveIncident(sql, incident)
        if (notify) await subscribers.announce(sql, spec, incident)
        const after = { incident: incident.id, kind, title, services, stage, text, notify }
        await record(sql, { ...whatOf('status_incident.start', page), after })
        return { ids: [page], result: null }
      })
      return { id: incident.id }
    },

    /** Adds an update; with the last stage the incident is over. Faults: `not_found`, `invalid_request`, `conflict`. */
    updateIncident: (
      { id, stage, text, notify = true }: IncidentUpdate,
      record: RecordStatusChange,
    ): Promise<void> =>
      changeIncident(id, async (sql, incident) => {
        const at = now()
        const stages: readonly string[] = stagesOf[incident.kind]
        if (!stages.includes(stage))
          throw fault('invalid_request', `stage: expected one of ${stages.join(', ')}`)
        if (incident.updates.length >= statusPageBounds.updates)
          throw fault('conflict', `An incident has at most ${statusPageBounds.updates} updates`)
        const isOver = lastStages.has(stage)
        const changed = {
          ...incident,
          isOver,
          endsAt: isOver ? Math.max(at, incident.startsAt) : incident.isOver ? null : incident.endsAt,
          updates: [...incident.updates, { at, stage, text }],
        }
        await store.saveIncident(sql, changed)
        const spec = notify ? await findSpec(sql, incident.page, options) : undefined
        if (spec !== undefined) await subscribers.announce(sql, spec, changed)
        const after = { incident: id, stage, text, notify }
        await record(sql, { ...whatOf('status_incident.update', incident.page), after })
      }),

    /** Takes an incident back, as if it had never been told. Fault: `not_found`. */
    removeIncident: (id: string, record: RecordStatusChange): Promise<void> =>
      changeIncident(id, async (sql, { page, title }) => {
        await store.removeIncident(sql, id)
        await record(sql, { ...whatOf('status_incident.delete', page), before: { incident: id, title } })
      }),
  }
}

async function findSpec(
  sql: TransactionSql,
  page: string,
  { store, ofFile }: Pick<StatusPageChangesOptions, 'store' | 'ofFile'>,
): Promise<StatusPageSpec | undefined> {
  const stored = await store.lock(sql)
  return [...ofFile(), ...stored.map(({ spec }) => spec)].find((spec) => spec.page === page)
}

function requireKnown(
  { groups, emailChannel }: StatusPageSpec,
  { hasService, hasMailChannel }: Pick<StatusPageChangesOptions, 'hasService' | 'hasMailChannel'>,
): void {
  const unknown = groups.flatMap(({ services }) => services).find(({ id }) => !hasService(id))
  if (unknown !== undefined)
    throw fault('invalid_request', `groups: no service of the id ${unknown.id} is registered`)
  if (emailChannel !== undefined && !hasMailChannel(emailChannel))
    throw fault('invalid_request', 'emailChannel: there is no channel of type email of this name')
}

/** Hosts of other pages, so that a host leads to one page. */
function requireFreeHosts(spec: StatusPageSpec, others: readonly StatusPageSpec[]): void {
  const taken = new Set(others.flatMap(({ page, hosts }) => (page === spec.page ? [] : hosts)))
  const twice = spec.hosts.find((host) => taken.has(host))
  if (twice !== undefined) throw fault('conflict', `hosts: ${twice} leads to another status page`)
}

const newIncident = (given: IncidentStart, at: number): StatusIncident => {
  const { page, kind, title, services, startsAt = at, endsAt = null, stage, text } = given
  const isOver = lastStages.has(stage)
  const updates = [{ at, stage, text }]
  const end = isOver ? (endsAt ?? Math.max(at, startsAt)) : endsAt
  return { id: randomId('inc'), page, kind, title, services, startsAt, endsAt: end, isOver, updates }
}

function requireShown({ groups }: StatusPageSpec, services: readonly string[]): void {
  const shown = new Set(groups.flatMap((group) => group.services.map(({ id }) => id)))
  const hidden = services.find((id) => !shown.has(id))
  if (hidden !== undefined) throw fault('invalid_request', `services: ${hidden} is not on this page`)
}

const whatOf = (action: StatusPageEvent['action'], page: string) =>
  ({ action, subject: { kind: 'status_page', id: page } }) as const

const factsOf = ({ logo, ...spec }: StatusPageSpec) => ({ ...spec, hasLogo: logo !== undefined })

const noSuchIncident = (): Fault => fault('not_found', 'There is no such incident')
