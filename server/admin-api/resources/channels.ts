import { AdminListQuery, ChannelResource, CreatedChannelResource } from '../../../shared/admin-resources.ts'
import { AlertChannelPatch, ChannelName, NewAlertChannel } from '../../../shared/alert-channels.ts'
import { fault } from '../../platform/fault.ts'
import { sortedPage } from '../pages.ts'
import { resource } from '../resource.ts'

/** Where alerts are told. */
export const adminChannels = resource({
  path: 'channels',
  name: 'Channel',
  one: 'a channel for alerts',
  many: 'channels for alerts',
  view: ChannelResource,
  id: ChannelName,
  query: AdminListQuery,
  list: async ({ call }, query) => sortedPage(await call.channels.list(), ({ name }) => name, query),
  async find({ call, whole }, name) {
    const item = (await call.channels.list()).find((one) => one.name === name)
    if (item === undefined) throw fault('not_found', 'There is no channel of this name')
    return { item, version: whole.channel(name) }
  },
  creating: {
    body: NewAlertChannel,
    view: CreatedChannelResource,
    example: { name: 'on-call', type: 'webhook', url: 'https://hooks.example.com/gatehouse' },
    async create({ call }, spec) {
      const { name, secret } = await call.channels.create(spec)
      return { id: name, once: { secret } }
    },
  },
  changing: {
    body: AlertChannelPatch,
    example: { type: 'webhook', url: 'https://hooks.example.com/other' },
    about: '`type` names what the channel is and stays; secrets that are not named stay.',
    change: ({ call }, name, change) => call.channels.update({ ...change, name }),
  },
  removing: { remove: ({ call }, name) => call.channels.delete({ name }) },
})
