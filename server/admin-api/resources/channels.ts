import { ChannelResource, CreatedChannelResource } from '../../../shared/admin-alert-resources.ts'
import {
  AlertChannelPatch,
  ChannelName,
  type ChannelView,
  NewAlertChannel,
} from '../../../shared/alert-channels.ts'
import { oneList } from '../one-list.ts'
import { resource } from '../resource.ts'

const channels = oneList<ChannelView>({
  all: ({ call }) => call.channels.list(),
  idOf: ({ name }) => name,
  versionOf: ({ name }, { whole }) => whole.channel(name),
  missing: 'There is no channel of this name',
})

/** Where alerts are told. */
export const adminChannels = resource({
  path: 'channels',
  name: 'Channel',
  one: 'an alert channel',
  many: 'alert channels',
  view: ChannelResource,
  id: ChannelName,
  ...channels.reading,
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
