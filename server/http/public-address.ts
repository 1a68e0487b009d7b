/** Where browsers reach this installation. */
export interface PublicAddress {
  /** `scheme://host[:port]`, as it is told to others. */
  readonly origin: string
  /** Every origin that is this installation. On a loopback address that is each of its three names. */
  readonly origins: readonly string[]
  readonly isTls: boolean
  readonly isLoopback: boolean
}

const loopbackHosts: readonly string[] = ['127.0.0.1', 'localhost', '[::1]']

/** Takes an http or https URL apart. Throws a `TypeError` for anything else. */
export function publicAddress(text: string): PublicAddress {
  const url = new URL(text)
  const isTls = url.protocol === 'https:'
  if (!isTls && url.protocol !== 'http:') throw new TypeError('a public address begins with http or https')
  const isLoopback = loopbackHosts.includes(url.hostname)
  return {
    origin: url.origin,
    origins: isLoopback ? loopbackHosts.map((host) => originOf(url, host)) : [url.origin],
    isTls,
    isLoopback,
  }
}

function originOf(url: URL, host: string): string {
  return `${url.protocol}//${host}${url.port === '' ? '' : `:${url.port}`}`
}
