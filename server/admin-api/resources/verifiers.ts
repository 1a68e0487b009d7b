import {
  CreatedVerifierTokenResource,
  VerifierResource,
  VerifierTokenResource,
} from '../../../shared/admin-access-resources.ts'
import {
  type PendingToken,
  TokenById,
  TokenInput,
  VerifierById,
  type VerifierSummary,
} from '../../../shared/health-verifiers.ts'
import { oneList } from '../one-list.ts'
import { resource } from '../resource.ts'

const verifiers = oneList<VerifierSummary>({
  all: ({ call }) => call.verifiers.list(),
  idOf: ({ id }) => id,
  versionOf: ({ id }) => id,
  missing: 'There is no verifier of this id',
})

/** Who watches the services. */
export const adminVerifiers = resource({
  path: 'verifiers',
  name: 'Verifier',
  one: 'a verifier',
  many: 'verifiers',
  view: VerifierResource,
  id: VerifierById.shape.id,
  ...verifiers.reading,
  creating: { refused: 'A verifier enrols by itself, with a token: make one by POST /admin/verifier-tokens' },
  changing: { refused: 'A verifier says by itself what it is: change its own settings' },
  removing: {
    about: 'Revokes it: what it reports is refused, and what it said counts no more.',
    remove: ({ call }, id) => call.verifiers.revoke({ id }),
  },
})

const tokens = oneList<PendingToken>({
  all: ({ call }) => call.verifiers.tokens(),
  idOf: ({ id }) => id,
  versionOf: ({ id }) => id,
  missing: 'There is no token of this id that can be used',
})

/** Tokens that were not used yet. */
export const adminVerifierTokens = resource({
  path: 'verifier-tokens',
  name: 'VerifierToken',
  one: 'an enrolment token',
  many: 'enrolment tokens',
  view: VerifierTokenResource,
  id: TokenById.shape.id,
  ...tokens.reading,
  creating: {
    body: TokenInput,
    view: CreatedVerifierTokenResource,
    example: { label: 'Frankfurt' },
    about: 'Lets one verifier enrol within an hour. The answer alone has the token itself.',
    async create({ call }, input) {
      const { id, token } = await call.verifiers.createToken(input)
      return { id, once: { token } }
    },
  },
  changing: { refused: 'A token is not changed: make another one, and delete this one' },
  removing: { remove: ({ call }, id) => call.verifiers.cancelToken({ id }) },
})
