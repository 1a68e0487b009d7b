import { SilenceResource } from '../../../shared/admin-alert-resources.ts'
import { type AlertSilence, SilenceById, SilenceForm } from '../../../shared/alert-times.ts'
import { oneList } from '../one-list.ts'
import { resource } from '../resource.ts'

const silences = oneList<AlertSilence>({
  all: ({ call }) => call.silences.list(),
  idOf: ({ id }) => id,
  versionOf: ({ id }) => id,
  missing: 'There is no silence of this id that lasts',
})

/** Alerts that nobody is told of for a while. */
export const adminSilences = resource({
  path: 'silences',
  name: 'Silence',
  one: 'a silence',
  many: 'silences',
  view: SilenceResource,
  id: SilenceById.shape.id,
  ...silences.reading,
  creating: {
    body: SilenceForm,
    example: { services: { id: 'node-a' }, until: '2030-01-01T06:00:00Z', reason: 'moved to another host' },
    about: 'About all alerts to which `rule`, `services` and `decisions` apply.',
    create: ({ call }, form) => call.silences.create(form),
  },
  changing: { refused: 'A silence is not changed: make another one, and delete this one' },
  removing: { remove: ({ call }, id) => call.silences.end({ id }) },
})
