import { createAuthority } from '../certificates.ts'
import { findFreePort } from '../free-port.ts'

/** An https service with a certificate of a private authority. */
export interface SecureEndpoint {
  readonly url: string
  /** The authority's own certificate, in PEM. */
  readonly ca: string
  /** From now on its certificate has expired. */
  expire(): Promise<void>
  renew(): Promise<void>
  /** Nobody listens until it is renewed. */
  cut(): Promise<void>
  stop(): Promise<void>
}

/** Needs `openssl`. */
export async function startSecureEndpoint(): Promise<SecureEndpoint> {
  const authority = createAuthority()
  const names = ['IP:127.0.0.1']
  const port = await findFreePort()
  // Both now: making one stops this process, and with it every other node of the world.
  const [good, expired] = [authority.issue(names), authority.issue(names, { expired: true })]
  const serve = (isExpired: boolean) =>
    Bun.serve({
      hostname: '127.0.0.1',
      port,
      tls: isExpired ? expired : good,
      fetch: () => new Response('ok'),
    })
  let server = serve(false)
  async function restart(isExpired: boolean): Promise<void> {
    await server.stop(true)
    server = serve(isExpired)
  }
  return {
    url: `https://127.0.0.1:${port}/`,
    ca: authority.ca,
    expire: () => restart(true),
    renew: () => restart(false),
    cut: () => server.stop(true),
    stop: () => server.stop(true),
  }
}
