import { parseArgs } from 'node:util'
import { programs } from '../../shared/programs.ts'
import { errorMessage } from '../platform/error-message.ts'

/** The result of reading the stand-alone verifier's arguments. Each message is one sentence. */
export type VerifierCommand =
  | { kind: 'help' }
  | { kind: 'wrong'; message: string }
  | { kind: 'run'; options: RunOptions }

export interface RunOptions {
  serverUrl: string
  token: string | null
  tokenFile: string | null
  /** Null stands for the host name of the machine. */
  name: string | null
  region: string
  folder: string
  allowPrivate: readonly string[]
}

export const verifierHelpText = `Probes blockchain nodes and other services, and reports to a Gatehouse server.

Usage: ${programs.verifier} --server URL --token TOKEN [options]

  --server URL           address of the Gatehouse server, for instance https://gatehouse.example
  --token TOKEN          one-time enrolment token from an operator; needed for the first start only
  --token-file FILE      the same, read from a file, so that it does not show in the list of processes
  --name NAME            what operators see (default: the name of this machine)
  --region REGION        where this verifier stands (default: unspecified)
  --state DIR            where its key and state are kept (default: ./verifier-data)
  --allow-private LIST   private addresses or CIDR blocks it may probe, for instance 10.0.0.0/8,127.0.0.1
  --help                 this text
`

/** Reads the arguments that follow the program's name. */
export function readVerifierArguments(args: readonly string[]): VerifierCommand {
  let values
  try {
    values = parseFlags(args)
  } catch (error) {
    return { kind: 'wrong', message: `${firstSentence(error)} See --help.` }
  }
  if (values.help) return { kind: 'help' }
  const { server, token, 'token-file': tokenFile } = values
  if (server === undefined) return { kind: 'wrong', message: '--server is missing; see --help.' }
  if (!isServerUrl(server)) {
    return {
      kind: 'wrong',
      message: '--server must be an http or https address without user, query or fragment.',
    }
  }
  if (token !== undefined && tokenFile !== undefined) {
    return { kind: 'wrong', message: 'Give either --token or --token-file, not both.' }
  }
  return {
    kind: 'run',
    options: {
      serverUrl: server,
      token: token ?? null,
      tokenFile: tokenFile ?? null,
      name: values.name ?? null,
      region: values.region,
      folder: values.state,
      allowPrivate: values['allow-private'].flatMap((list) => list.split(',')).filter((cidr) => cidr !== ''),
    },
  }
}

const parseFlags = (args: readonly string[]) =>
  parseArgs({
    args: [...args],
    options: {
      server: { type: 'string' },
      token: { type: 'string' },
      'token-file': { type: 'string' },
      name: { type: 'string' },
      region: { type: 'string', default: 'unspecified' },
      state: { type: 'string', default: './verifier-data' },
      'allow-private': { type: 'string', multiple: true, default: [] },
      help: { type: 'boolean', default: false },
    },
  }).values

function isServerUrl(text: string): boolean {
  const url = URL.parse(text)
  if (!url || !['http:', 'https:'].includes(url.protocol)) return false
  return url.username === '' && url.password === '' && url.search === '' && url.hash === ''
}

function firstSentence(error: unknown): string {
  const text = errorMessage(error)
  return `${text.split('. ')[0]?.replace(/\.$/, '')}.`
}
