import { CreatedInvitationResource, InvitationResource } from '../../../shared/admin-access-resources.ts'
import { type InvitationView, NewInvitation } from '../../../shared/invitations.ts'
import { idText } from '../../../shared/text.ts'
import { oneList } from '../one-list.ts'
import { resource } from '../resource.ts'

const invitations = oneList<InvitationView>({
  all: ({ call }) => call.accounts.invitations(),
  idOf: ({ id }) => id,
  versionOf: ({ id, usedAt }) => [id, usedAt],
  missing: 'There is no invitation of this id',
})

/** Links that let one person in each. Those that were used or have ended are listed for a month. */
export const adminInvitations = resource({
  path: 'invitations',
  name: 'Invitation',
  one: 'an invitation',
  many: 'invitations',
  view: InvitationResource,
  id: idText(64),
  ...invitations.reading,
  creating: {
    body: NewInvitation,
    view: CreatedInvitationResource,
    example: { note: 'Ada of Example', for: 'github:583231', days: 3 },
    about: 'The answer alone has the link: it is not stored.',
    async create({ call }, asked) {
      const { id, link } = await call.accounts.invite(asked)
      return { id, once: { link } }
    },
  },
  changing: { refused: 'An invitation is not changed: make another one, and delete this one' },
  removing: { remove: ({ call }, id) => call.accounts.cancelInvitation({ id }) },
})
