import type { Assignments } from '../../../shared/verifier-protocol.ts'
import type { CanaryCheck } from './canary.ts'
import { isInternetHost } from './internet-host.ts'

/** What the default canaries say; null where they say nothing. */
export interface DefaultCanaryAnswers {
  readonly gatewayAnswers: boolean | null
  readonly internetAnswers: boolean | null
}

/**
 * The canaries that nobody had to configure: the default gateway, and addresses on the Internet. Each counts once it has
 * answered, so that a network that lets none of them through is not taken for one that was lost.
 */
export interface DefaultCanaries {
  /** Chooses them, and asks those that have not answered yet, before anything fails. */
  assign(assignments: Assignments): void
  /** Asks those again that have not answered yet: the network may not have been there at first. */
  refresh(): void
  ask(): Promise<DefaultCanaryAnswers>
}

export interface DefaultCanaryChecks {
  /** Resolves to whether the gateway of the default route answers. */
  readonly checkGateway: () => Promise<boolean>
  /** Resolves to whether anything answers at an address with a port. */
  readonly checkAddress: CanaryCheck
}

/** One address may be silent for reasons of its own. */
const enoughAddresses = 2

export function createDefaultCanaries({ checkGateway, checkAddress }: DefaultCanaryChecks): DefaultCanaries {
  let asksGateway = false
  let gatewayHasAnswered = false
  let addresses: readonly string[] = []
  const haveAnswered = new Set<string>()

  async function askGateway(): Promise<boolean | null> {
    if (!asksGateway) return null
    const isThere = await checkGateway()
    gatewayHasAnswered ||= isThere
    return gatewayHasAnswered ? isThere : null
  }

  async function check(address: string): Promise<boolean> {
    const answers = await checkAddress(address)
    if (answers) haveAnswered.add(address)
    return answers
  }

  async function askInternet(): Promise<boolean | null> {
    const known = addresses.filter((address) => haveAnswered.has(address))
    if (known.length < enoughAddresses) return null
    return (await Promise.all(known.map(check))).includes(true)
  }

  function refresh(): void {
    void askGateway()
    for (const address of addresses) if (!haveAnswered.has(address)) void check(address)
  }

  return {
    assign({ canaries, defaultCanaries, targets }) {
      const hasOwn = canaries.length > 0
      asksGateway = !hasOwn && (defaultCanaries === undefined || defaultCanaries.length > 0)
      // An installation that watches its own network alone has no reason to ask anybody on the Internet.
      const watchesInternet = targets.some(({ endpoint }) => isInternetHost(hostNameOf(endpoint)))
      addresses = hasOwn || !watchesInternet ? [] : (defaultCanaries ?? [])
      refresh()
    },
    refresh,
    async ask() {
      const [gatewayAnswers, internetAnswers] = await Promise.all([askGateway(), askInternet()])
      return { gatewayAnswers, internetAnswers }
    },
  }
}

/** Returns the host of an address; '' where it has none. */
export const hostNameOf = (endpoint: string): string =>
  URL.canParse(endpoint) ? new URL(endpoint).hostname : ''
