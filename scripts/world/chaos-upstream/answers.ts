interface Message {
  readonly id?: string | number
  readonly method: string
  readonly params?: {
    readonly protocolVersion?: string
    readonly arguments?: { readonly message?: string }
  }
}

/** What an honest server would say, and whether it may be tampered with: handshakes are left alone. */
export interface HonestAnswer {
  /** Entries of a batch; a single one: the whole of the body. */
  readonly entries: readonly string[]
  readonly kind: 'single' | 'batch' | 'events' | 'accepted'
  readonly isSacred: boolean
}

const single = (entry: string, isSacred = false): HonestAnswer => ({
  entries: [entry],
  kind: 'single',
  isSacred,
})

/** Tells whose credential came, without quoting it: secrets that are quoted are hidden from callers. */
export const markOf = (credential: string): string => Bun.hash(credential).toString(36)

/** `path`: `/node`, `/modern` or `/legacy`. */
export function chaosAnswerTo(path: string, body: string, credential: string): HonestAnswer {
  const asked: Message | Message[] = JSON.parse(body === '' ? '{"method":""}' : body)
  if (Array.isArray(asked)) return { entries: asked.map(echoOf), kind: 'batch', isSacred: false }
  if (path === '/node') return single(echoOf(asked))
  const { id, method, params } = asked
  if (id === undefined) return { entries: [''], kind: 'accepted', isSacred: true }
  const say = (result: object): string => JSON.stringify({ jsonrpc: '2.0', id, result })
  switch (method) {
    case 'initialize':
      return single(say({ protocolVersion: params?.protocolVersion ?? '2025-11-25', ...facts }), true)
    case 'server/discover':
      if (path === '/legacy') return single(unknownMethod(id), true)
      return single(say({ ...complete, supportedVersions: ['2026-07-28'], ...facts, ...cached }), true)
    case 'tools/list':
      return single(
        say({ ...complete, tools: [{ name: 'echo', inputSchema: { type: 'object' } }], ...cached }),
        true,
      )
    case 'tools/call': {
      const text = JSON.stringify([params?.arguments?.message, markOf(credential)])
      const answer = say({ ...complete, content: [{ type: 'text', text }] })
      return { entries: [answer], kind: text.length % 4 === 0 ? 'events' : 'single', isSacred: false }
    }
    default:
      return single(unknownMethod(id), true)
  }
}

const complete = { resultType: 'complete' }
const cached = { ttlMs: 0, cacheScope: 'private' }
const facts = { capabilities: { tools: {} }, serverInfo: { name: 'chaos', version: '1.0.0' } }

const echoOf = ({ id, method, params }: Message): string =>
  JSON.stringify({ jsonrpc: '2.0', id, result: { method, params } })

const unknownMethod = (id: string | number): string =>
  JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32_601, message: 'unknown' } })
