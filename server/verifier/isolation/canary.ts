import { type Egress, EgressError } from '../../platform/egress.ts'

/** Resolves to whether a canary host answers at all. */
export type CanaryCheck = (host: string) => Promise<boolean>

const timeoutMs = 2_000
const maxBytes = 65_536

/** Failures that only a peer that answered can cause. */
const answered: ReadonlySet<string> = new Set(['REDIRECT', 'TOO_LARGE', 'TLS', 'PROTOCOL'])

/** A host is a name or an address, with a port where it is not 443, or a whole http(s) URL. */
export function createCanaryCheck(egress: Egress): CanaryCheck {
  return async (host) => {
    const url = host.includes('://') ? host : `https://${host}/`
    try {
      await egress.request({ url, method: 'HEAD', timeoutMs, maxBytes })
      return true
    } catch (error) {
      if (error instanceof EgressError) return answered.has(error.code)
      throw error
    }
  }
}

/** Resolves to whether anything answers at an address with a port, be it by a refusal. Nothing is sent there. */
export function createAddressCheck(egress: Egress): CanaryCheck {
  return async (address) => {
    try {
      await egress.greet({ url: `http://${address}/`, timeoutMs })
      return true
    } catch (error) {
      if (error instanceof EgressError) return error.reason === 'ECONNREFUSED'
      throw error
    }
  }
}
