import type { AgentRequestView, AgentScope, AnswerPlace } from '../../shared/agents.ts'

/** A saved connection, as far as a sentence names it. */
interface NamedConnection {
  readonly id: string
  readonly name: string
}

export const scopeTitles: Readonly<Record<AgentScope, string>> = {
  gateway_use: 'Call tools as you',
  statistics_read: 'Read your statistics',
}

/** The name of the virtual server that a resource is; null for everything else. */
export const virtualServerIn = (resource: string): string | null =>
  /^\/mcp\/v\/([a-z0-9-]+)$/.exec(resource)?.[1] ?? null

const maxNamed = 5

/** What a scope reaches now. `connections` is null while they are not known. */
export function scopeReach(
  scope: AgentScope,
  resource: string,
  connections: readonly NamedConnection[] | null,
): string {
  if (scope === 'statistics_read') return 'Calls, credits and errors of your query keys'
  const virtual = virtualServerIn(resource)
  if (virtual !== null) return `With the tools of your virtual server ${virtual}, and no others`
  const only = /^\/mcp\/c\/(.+)$/.exec(resource)?.[1]
  if (connections === null) return 'With your saved connections'
  if (only !== undefined) {
    const name = connections.find(({ id }) => id === only)?.name
    return name === undefined
      ? 'With one connection that is not yours, so with none'
      : `With your connection ${name}, and no other`
  }
  if (connections.length === 0) return 'You have no saved connection yet; those of later are included'
  const names = connections.slice(0, maxNamed).map(({ name }) => name)
  const more = connections.length > maxNamed ? `, and ${connections.length - maxNamed} more` : ''
  const count =
    connections.length === 1 ? 'your saved connection' : `your ${connections.length} saved connections`
  return `With ${count}: ${names.join(', ')}${more}`
}

/** The first line of the page: what was verified of a client comes before what it says of itself. */
export const whoAsks = ({
  verifiedHost,
  clientName,
}: Pick<AgentRequestView, 'verifiedHost' | 'clientName'>): string =>
  verifiedHost ?? `A program that calls itself “${clientName}”`

/** Where the answer goes. */
export function answerPlace({ host, kind, port }: AnswerPlace): string {
  switch (kind) {
    case 'site':
      return host
    case 'this_machine':
      return port === null ? 'a program on this computer' : `a program on this computer, at port ${port}`
    case 'program':
      return `the app ${host}`
  }
}

/** Where a request wants its answer sent: the host, or the scheme of an app; null where it names no address. */
export function askedForIn(query: string): string | null {
  const url = URL.parse(new URLSearchParams(query).get('redirect_uri') ?? '')
  if (url === null) return null
  return url.host === '' ? url.protocol : url.host
}
