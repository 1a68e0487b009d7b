import { AllowedAddressResource } from '../../../shared/admin-access-resources.ts'
import { AddressToAllow, AddressToRevoke, type AllowedAddress } from '../../../shared/allowed-addresses.ts'
import { fault } from '../../platform/fault.ts'
import { oneList } from '../one-list.ts'
import { resource } from '../resource.ts'

const addresses = oneList<AllowedAddress>({
  all: async ({ call }) => (await call.allowedAddresses.list()).addresses,
  idOf: ({ address }) => address,
  versionOf: ({ address }) => address,
  missing: 'No operator allowed this address',
})

/** Private addresses that may be reached, besides the blocks of `GATEHOUSE_ALLOW_PRIVATE`. */
export const adminAllowedAddresses = resource({
  path: 'allowed-addresses',
  name: 'AllowedAddress',
  one: 'an allowed address',
  many: 'allowed addresses',
  view: AllowedAddressResource,
  id: AddressToRevoke.shape.address,
  ...addresses.reading,
  creating: {
    body: AddressToAllow,
    example: { address: 'http://node.internal:8545' },
    about: 'Of a name, all private addresses that it has now; the answer shows one of them.',
    async create(operator, { address }) {
      const { allowed, already } = await operator.call.allowedAddresses.allow({ address })
      const listed = new Set(
        (await operator.call.allowedAddresses.list()).addresses.map((one) => one.address),
      )
      const id = [...allowed, ...already].find((one) => listed.has(one))
      if (id === undefined) throw fault('conflict', 'address: GATEHOUSE_ALLOW_PRIVATE allows it already')
      return { id }
    },
  },
  changing: { refused: 'An allowed address is not changed: allow another one, and delete this one' },
  removing: {
    about: 'No connection is opened to it any more; those that are open last until they end.',
    remove: ({ call }, address) => call.allowedAddresses.revoke({ address }),
  },
})
