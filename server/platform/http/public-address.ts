import { loopbackNames } from '../../../shared/loopback-names.ts'

/** The address at which browsers reach this installation. */
export interface PublicAddress {
  /** `scheme://host[:port]`, as it is told to others. */
  readonly origin: string
  /** Every origin that is this installation. On a loopback address that is each of its three names. */
  readonly origins: readonly string[]
  /**
   * Host names under which it is reached besides, and besides every IP address, at whatever port a mapping gave it.
   * Null: only `origins` are this installation.
   */
  readonly machineNames: readonly string[] | null
  readonly isTls: boolean
  readonly isLoopback: boolean
}

const wildcardHosts: ReadonlySet<string> = new Set(['0.0.0.0', '::'])

/** Takes an http or https URL apart. Throws a `TypeError` for anything else. */
export function publicAddress(text: string): PublicAddress {
  const url = new URL(text)
  const isTls = url.protocol === 'https:'
  if (!isTls && url.protocol !== 'http:') throw new TypeError('a public address begins with http or https')
  const isLoopback = loopbackNames.includes(url.hostname)
  return {
    origin: url.origin,
    origins: isLoopback ? loopbackNames.map((host) => originOf(url, host)) : [url.origin],
    machineNames: null,
    isTls,
    isLoopback,
  }
}

/** Returns the address for an installation without a configured one: where the server listens. A wildcard host is no destination, so the machine's name replaces it. */
export function listeningAddress(
  { host, port }: { host: string; port: number },
  machineName: string,
): PublicAddress {
  if (!wildcardHosts.has(host)) {
    return publicAddress(`http://${host.includes(':') ? `[${host}]` : host}:${port}`)
  }
  const name = URL.canParse(`http://${machineName}`) ? machineName : 'localhost'
  const named = publicAddress(`http://${name}:${port}`)
  return { ...named, isLoopback: false, machineNames: [new URL(named.origin).hostname, 'localhost'] }
}

/**
 * The address of this installation: the configured one, or else where its server listens. It is created before the
 * server, because pages and links of many parts name it. `current` throws a `TypeError` until one of the two is known, and
 * `ofListener` until the server listens.
 */
export function createInstallationAddress(configured: string | null, machineName: string) {
  const given = configured === null ? null : publicAddress(configured)
  let own: PublicAddress | null = null

  function ofListener(): PublicAddress {
    if (own === null) throw new TypeError('the server does not listen yet, so it has no address')
    return own
  }

  const current = (): PublicAddress => given ?? ofListener()

  return {
    current,
    ofListener,
    /** Returns `scheme://host[:port]`. */
    origin: (): string => current().origin,
    /** Takes the server's own address. */
    listening(listener: { host: string; port: number }): void {
      own = listeningAddress(listener, machineName)
    },
  }
}

/** Under which of its own origins the installation was asked: each name of a loopback installation answers as itself. */
export const askedOrigin = (headers: Headers, { origin, origins }: PublicAddress): string => {
  const host = headers.get('host')
  return origins.find((own) => own.slice(own.indexOf('://') + 3) === host) ?? origin
}

function originOf(url: URL, host: string): string {
  return `${url.protocol}//${host}${url.port === '' ? '' : `:${url.port}`}`
}
