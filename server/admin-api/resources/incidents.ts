import { IncidentPatch, IncidentResource } from '../../../shared/admin-alert-resources.ts'
import { IncidentById, IncidentStart, type StatusIncident } from '../../../shared/status-pages.ts'
import { oneList } from '../one-list.ts'
import { resource } from '../resource.ts'

const incidents = oneList<StatusIncident>({
  all: ({ call }) => call.statusPages.incidents(),
  idOf: ({ id }) => id,
  versionOf: (incident) => incident,
  missing: 'There is no such incident',
})

/** What visitors of a status page are told. */
export const adminIncidents = resource({
  path: 'incidents',
  name: 'Incident',
  one: 'an incident of a status page',
  many: 'incidents of status pages',
  view: IncidentResource,
  id: IncidentById.shape.id,
  ...incidents.reading,
  creating: {
    body: IncidentStart,
    example: {
      page: 'main',
      kind: 'incident',
      title: 'Slow answers',
      services: ['node-a'],
      stage: 'investigating',
      text: 'We are looking for the cause.',
    },
    about:
      'An incident, or work that is announced (`maintenance`). Subscribers are told unless `notify` is false.',
    create: ({ call }, start) => call.statusPages.startIncident(start),
  },
  changing: {
    body: IncidentPatch,
    example: { stage: 'resolved', text: 'It was a full disk.' },
    about:
      'Adds an update; with `resolved` or `completed` it is over. With If-Match a repeated request adds no second one.',
    change: ({ call }, id, update) => call.statusPages.updateIncident({ ...update, id }),
  },
  removing: { remove: ({ call }, id) => call.statusPages.removeIncident({ id }) },
})
