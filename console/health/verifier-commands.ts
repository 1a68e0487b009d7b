import { isLoopbackHost } from '../../shared/loopback-names.ts'
import { programs } from '../../shared/programs.ts'

/** The options of a new verifier's first start. */
export interface VerifierStart {
  /** Address of this server. */
  readonly server: string
  readonly token: string
  /** What operators see; the machine's own name when empty. */
  readonly name: string
  readonly region: string
}

/** For the folder of Gatehouse on the machine where the page is read. */
export const commandHere = (start: VerifierStart): string => runCommand(start, ['token', start.token])

/** For a machine of its own: the token lies in a file, because arguments show in the list of processes. */
export const commandElsewhere = (start: VerifierStart): string =>
  [
    'touch verifier-token && chmod 600 verifier-token',
    `echo ${quoted(start.token)} > verifier-token`,
    runCommand(start, ['token-file', 'verifier-token']),
  ].join('\n')

/** With a line for each flag, so that all of it is seen. */
function runCommand(
  { server, name, region }: VerifierStart,
  tokenFlag: readonly [flag: string, value: string],
): string {
  const flags = [['server', server], tokenFlag, ['name', name], ['region', region]] as const
  const given = flags.filter(([, value]) => value !== '').map(([flag, value]) => `--${flag} ${quoted(value)}`)
  return [programs.verifier, ...given].join(' \\\n  ')
}

/** As one word of a POSIX shell. */
const quoted = (text: string): string =>
  /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

/** Whether an address means the server itself, so that no other machine gets anywhere with it. */
export const isOnlyHere = (address: string): boolean => isLoopbackHost(new URL(address).hostname)

/** Where a verifier finds this server: as the server knows itself, unless only the browser knows better. */
export const reachableAddress = (own: string, asSeen: string): string =>
  isOnlyHere(own) && !isOnlyHere(asSeen) ? asSeen : own
