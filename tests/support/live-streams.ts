import type { SignedInClient } from '../../scripts/world/signed-in-client.ts'

/** How many live views of the console one account may have open. */
export const mostLiveStreams = 20
export const livePath = '/trpc/services.live'

/** Live views of the console that stay open, over HTTP. */
export interface LiveStreams {
  /** Opens one, and returns what it begins with: `list`, or the code of the refusal. */
  begin(send: SignedInClient['send']): Promise<string>
  /** Opens as many as one account may have. */
  fill(send: SignedInClient['send']): Promise<string[]>
  closeOne(): void
  closeAll(): void
}

export function liveStreams(): LiveStreams {
  const open: { end: AbortController; reader: ReadableStreamDefaultReader<string> }[] = []

  async function begin(send: SignedInClient['send']): Promise<string> {
    const end = new AbortController()
    const { body, status } = await send(livePath, {
      headers: { accept: 'text/event-stream' },
      signal: end.signal,
    })
    if (body === null) throw new Error(`no stream, but ${status}`)
    const reader = body.pipeThrough(new TextDecoderStream()).getReader()
    open.push({ end, reader })
    for (let text = ''; ;) {
      const { done, value } = await reader.read()
      text += value ?? ''
      if (text.includes('"listVersion"')) return 'list'
      const refusal = /"fault":"(\w+)"/.exec(text)?.[1]
      if (refusal !== undefined) return refusal
      if (done) throw new Error(`the stream ended: ${text}`)
    }
  }

  return {
    begin,
    fill: (send) => Promise.all(Array.from({ length: mostLiveStreams }, () => begin(send))),
    closeOne: () => open.shift()?.end.abort(),
    closeAll() {
      for (const { end } of open.splice(0)) end.abort()
    },
  }
}
