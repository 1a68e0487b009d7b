import { createOwnHosts } from '../../server/http/own-hosts.ts'
import { publicAddress } from '../../server/platform/http/public-address.ts'

const address = () => publicAddress('http://127.0.0.1:3000')

/** Of a server that is reached on this machine only. */
export const loopbackHosts = createOwnHosts({ address, listening: address, allowed: [] })

/** Of a server that nobody asks through a proxy. */
export const noProxies = { note: (): void => undefined }
