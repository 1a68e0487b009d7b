import { ChainPatch, ChainResource } from '../../../shared/admin-resources.ts'
import { ChainKey, CustomChain, type ListedChain } from '../../../shared/chains.ts'
import { mergePatched } from '../../../shared/merge-patch.ts'
import { oneList } from '../one-list.ts'
import { resource } from '../resource.ts'

/** What of a chain was said, which its family's usual values are not part of. Of those that cannot be changed, what names them. */
const saidOf = ({ custom, key, name, family }: ListedChain): CustomChain => custom ?? { key, name, family }

const chains = oneList<ListedChain>({
  all: ({ call }) => call.chains.list(),
  idOf: ({ key }) => key,
  // What was said of it is seen in what it has: to say what is usual for its family is no other version.
  versionOf: ({ services: _services, endpoints: _endpoints, custom: _custom, ...chain }) => chain,
  shown: ({ custom: _custom, ...chain }) => chain,
  missing: 'There is no chain of this key',
})

/** The chains that services and endpoints can be of. */
export const adminChains = resource({
  path: 'chains',
  name: 'Chain',
  one: 'a chain',
  many: 'chains',
  view: ChainResource,
  id: ChainKey,
  ...chains.reading,
  creating: {
    body: CustomChain,
    example: { key: 'my-rollup', name: 'My rollup', family: 'evm', chainId: 424_242, blockMs: 2_000 },
    about: 'What is left out is as usual for its family.',
    async create({ call }, chain) {
      await call.chains.create(chain)
      return { id: chain.key }
    },
  },
  changing: {
    body: ChainPatch,
    example: { blockMs: 1_000, genesisHash: null },
    about: 'Null makes a field what is usual for the family. Built-in chains are changed in the file.',
    async change(operator, key, patch) {
      const chain = saidOf(await chains.get(operator, key))
      await operator.call.chains.update(mergePatched(chain, patch))
    },
  },
  removing: {
    about: 'Refused while services or endpoints are of it.',
    remove: ({ call }, key) => call.chains.delete({ key }),
  },
})
