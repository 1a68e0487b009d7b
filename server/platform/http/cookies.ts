/**
 * The cookies of this installation. Over https their names begin with `__Host-`, which makes browsers refuse them
 * from other hosts, other paths and plain http (RFC 6265bis, 4.1.3.2); over http no cookie can be `Secure`.
 */
export interface Cookies {
  /** Null where there is none, or one that cannot be ours. */
  read(request: Request, name: CookieName): string | null
  /** Value of a `Set-Cookie` header. */
  set(name: CookieName, value: string, maxAgeSec: number): string
  /** Value of a `Set-Cookie` header that makes the browser forget it. */
  clear(name: CookieName): string
}

/**
 * `session`: who is signed in. `preAuth`: binds a sign-in that has begun to the browser that began it. `invitation`: the
 * invitation that the browser has shown, which the next sign-in uses, whichever way it takes.
 */
export type CookieName = 'session' | 'preAuth' | 'invitation'

const plainNames: Record<CookieName, string> = {
  session: 'gatehouse',
  preAuth: 'gatehouse-visit',
  invitation: 'gatehouse-invitation',
}

/** What `mintSecret` makes, with room for a prefix. */
const plausibleValue = /^[A-Za-z0-9_-]{43,100}$/

export function createCookies({ isTls }: { isTls: boolean }): Cookies {
  const nameOf = (name: CookieName) => (isTls ? `__Host-${plainNames[name]}` : plainNames[name])
  const write = (name: CookieName, value: string, maxAgeSec: number) =>
    `${nameOf(name)}=${value}; Path=/; Max-Age=${maxAgeSec}; HttpOnly; SameSite=Lax${isTls ? '; Secure' : ''}`

  return {
    read(request, name) {
      const value = findCookie(request.headers.get('cookie') ?? '', nameOf(name))
      return value !== null && plausibleValue.test(value) ? value : null
    },
    set: write,
    clear: (name) => write(name, '', 0),
  }
}

function findCookie(header: string, name: string): string | null {
  for (const pair of header.split(';')) {
    const [key, ...value] = pair.trim().split('=')
    if (key === name) return value.join('=')
  }
  return null
}
