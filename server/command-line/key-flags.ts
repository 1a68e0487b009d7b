import type { Flag } from './command.ts'

/** What the commands for both kinds of keys have in common. */

export const accountFlag: Flag = {
  type: 'string',
  value: 'ID|ADDRESS',
  isRequired: true,
  about: 'whose key: the id of an account or the address of its wallet',
}

export const restrictionFlags: Readonly<Record<string, Flag>> = {
  'allowed-ips': {
    type: 'string',
    value: 'LIST',
    about: 'addresses and networks from which it works, separated by commas (default: any)',
  },
  'allowed-domains': {
    type: 'string',
    value: 'LIST',
    about: 'domains from whose pages it works, such as *.example.com (default: any)',
  },
  expires: {
    type: 'string',
    value: 'INSTANT',
    about: 'when it ends, such as 2027-01-31T12:00:00Z (default: never)',
  },
}

/** The restrictions as the schemas want them. */
export const restrictionsOf = (given: { text(flag: string): string | null }) => ({
  allowedIps: entriesOf(given.text('allowed-ips')),
  allowedDomains: entriesOf(given.text('allowed-domains')),
  expiresAt: given.text('expires'),
})

/** Entries of a list that is separated by commas. */
export const entriesOf = (text: string | null): string[] =>
  (text ?? '')
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')

/** Since when a key that was disabled or deleted is refused. */
export const refusedSince = (propagated: boolean): string =>
  propagated
    ? 'it is refused from now on.'
    : 'it is refused here from now on, and by a process that has not answered as soon as it reaches the database.'
