import type { Gatehouse } from '../compose.ts'
import { programs } from '../../shared/programs.ts'
import { isOfDatabase } from './begin-anew.ts'

/** What a greeting says is known of. */
interface Greeted {
  readonly installation: Pick<Gatehouse['installation'], 'address'>
  readonly accounts: Pick<Gatehouse['accounts'], 'setupLink'>
  readonly file: Pick<Gatehouse['file'], 'exists' | 'path'>
  readonly health: { readonly services: Pick<Gatehouse['health']['services'], 'list'> }
}

/** What a person needs next. */
export async function greeting({ installation, accounts, file, health }: Greeted): Promise<string> {
  const url = installation.address()
  const services = health.services.list().length
  const lines = [
    `Gatehouse is up at ${url}`,
    '',
    ...(await waysIn(accounts, url)),
    `  API reference   ${url}/reference`,
    `  For agents      ${url}/mcp/account (as you: by OAuth, or an API key)`,
    `                  ${url}/mcp (also without an account), ${url}/sse (the same over HTTP with SSE)`,
    `  Try it          curl ${url}/health/my-service`,
    `  Services        ${services} registered` +
      (file.exists ? ` (${file.path})` : `; write a ${file.path} or run`),
    ...(file.exists ? [] : [`                  ${programs.commandLine} services add --help`]),
    '',
    'Ctrl-C stops it.',
    '',
  ]
  return lines.join('\n')
}

/** A server that serves already is not ended by a database that stops answering just now. */
async function waysIn(accounts: Greeted['accounts'], url: string): Promise<string[]> {
  try {
    const setupLink = await accounts.setupLink()
    if (setupLink === null) return [`  Console         ${url}`]
    return [`  First operator  ${setupLink}`, '                  opens the console; works once, for a day']
  } catch (error) {
    if (!isOfDatabase(error)) throw error
    return [
      `  Console         ${url}`,
      '                  the database does not answer; the link for a first operator comes with the next start',
    ]
  }
}
