import type { HttpApp } from '../../server/http/app.ts'

export interface BrowserAnswer {
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

/** What of a browser matters to a server: it keeps cookies, and says which page asks. */
export interface TestBrowser {
  readonly cookies: Map<string, string>
  get(path: string, headers?: Record<string, string>): Promise<BrowserAnswer>
  /** From one of our own pages, unless `headers` say otherwise. */
  post(path: string, body?: unknown, headers?: Record<string, string>): Promise<BrowserAnswer>
  /** Sends a request as it is, only with the cookies. */
  send(path: string, init: RequestInit): Promise<BrowserAnswer>
  /** Calls a procedure. */
  query(procedure: string): Promise<BrowserAnswer>
  mutate(procedure: string, input?: unknown): Promise<BrowserAnswer>
  /** Another browser with the same cookies. */
  twin(): TestBrowser
}

/** Asks the app in process, as if from `peer`. */
export function createTestBrowser(
  app: HttpApp,
  origin: string,
  peer: string,
  cookies = new Map<string, string>(),
): TestBrowser {
  const connections = { requestIP: () => ({ address: peer }), timeout: () => {}, upgrade: () => false }

  async function send(path: string, init: RequestInit): Promise<BrowserAnswer> {
    const headers = new Headers(init.headers)
    if (cookies.size > 0) {
      headers.set('cookie', [...cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    }
    // The server itself never speaks https: a proxy in front of it does.
    const url = new URL(path, origin).href.replace(/^https:/, 'http:')
    const response = await app.fetch(new Request(url, { ...init, headers }), connections)
    for (const line of response.headers.getSetCookie()) keep(cookies, line)
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  const browser: TestBrowser = {
    cookies,
    send,
    get: (path, headers = {}) => send(path, { headers: { 'user-agent': firefox, ...headers } }),
    post: (path, body = {}, headers = {}) =>
      send(path, {
        method: 'POST',
        headers: { 'content-type': 'application/json', 'user-agent': firefox, origin, ...headers },
        body: JSON.stringify(body),
      }),
    query: (procedure) => browser.get(`/trpc/${procedure}`),
    mutate: (procedure, input) => browser.post(`/trpc/${procedure}`, input),
    twin: () => createTestBrowser(app, origin, peer, new Map(cookies)),
  }
  return browser
}

const firefox = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0'

function keep(cookies: Map<string, string>, line: string): void {
  const [pair = '', ...attributes] = line.split('; ')
  const at = pair.indexOf('=')
  const name = pair.slice(0, at)
  if (attributes.includes('Max-Age=0')) cookies.delete(name)
  else cookies.set(name, pair.slice(at + 1))
}
