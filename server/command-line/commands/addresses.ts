import type { AllowedAddressList } from '../../../shared/allowed-addresses.ts'
import { AddressToAllow } from '../../../shared/allowed-addresses.ts'
import { systemClock } from '../../platform/clock.ts'
import { type CliCommand, checked } from '../arguments/command.ts'
import { formatTable, printable } from '../output/table.ts'
import { formatTimeAgo } from '../output/time-ago.ts'
import { serverCommand } from '../server-command.ts'

const addressesTable = ({ addresses, environment }: AllowedAddressList, now: number): string =>
  formatTable(
    ['ADDRESS', 'NAME', 'ALLOWED BY', 'WHEN'],
    [
      ...addresses.map(({ address, name, allowedBy, allowedAt }) => [
        address,
        name ?? '',
        allowedBy,
        formatTimeAgo(allowedAt, now),
      ]),
      ...environment.map((block) => [block, '', 'GATEHOUSE_ALLOW_PRIVATE', '']),
    ],
  )

const list = serverCommand({
  name: 'addresses list',
  about: 'Lists the private addresses that may be reached.',
  ask: (client): Promise<AllowedAddressList> => client.allowedAddresses.list.query(),
  text: (found) =>
    found.addresses.length + found.environment.length === 0
      ? 'No private address may be reached; see addresses allow --help.'
      : addressesTable(found, systemClock.now()).trimEnd(),
})

const notYet = ' One process of the installation has not confirmed it yet.'

const allow = serverCommand({
  name: 'addresses allow',
  about: 'Lets outbound calls of this installation go to a private address, without a restart.',
  positionals: ['ADDRESS'],
  notes: `ADDRESS is an IP address, a name, or the URL that was refused; of a name, the addresses count that it has now.
Metadata services of clouds, link-local, multicast and reserved addresses need GATEHOUSE_ALLOW_PRIVATE.`,
  ask: (client, args) =>
    client.allowedAddresses.allow.mutate(checked(AddressToAllow, { address: args.argument(0) })),
  text: ({ allowed, already, propagated }) =>
    [
      ...(allowed.length > 0 ? [`Allowed ${allowed.join(', ')}.${propagated ? '' : notYet}`] : []),
      ...(already.length > 0 ? [`Allowed already: ${already.join(', ')}.`] : []),
    ].join('\n'),
})

const revoke = serverCommand({
  name: 'addresses revoke',
  about: 'Takes back that a private address may be reached. Connections that are open last until they end.',
  positionals: ['ADDRESS'],
  ask: (client, args) => client.allowedAddresses.revoke.mutate({ address: args.argument(0) }),
  json: ({ address, propagated }) => ({ revoked: address, propagated }),
  text: ({ address, propagated }) => `Revoked ${printable(address)}.${propagated ? '' : notYet}`,
})

export const addressCommands: readonly CliCommand[] = [list, allow, revoke]
