type Send = (path: string, init: RequestInit) => Promise<Response>

interface SourceEvent {
  readonly type: string
  readonly data: string
  readonly lastEventId: string
}

type Listener = (event: SourceEvent) => void

/** As the HTML standard has it, without a field `retry`; a browser waits some seconds before it comes again. */
const comeAgainMs = 50

/** The browser's `EventSource`, which Bun has not, by way of requests that carry a session's cookie. */
export function eventSourceBy(send: Send) {
  return class TestEventSource {
    readonly CONNECTING = 0
    readonly OPEN = 1
    readonly CLOSED = 2
    readyState = 0
    readonly #listeners = new Map<string, Set<Listener>>()
    readonly #closing = new AbortController()
    #lastEventId = ''

    constructor(url: string) {
      void this.#follow(url)
    }

    addEventListener(type: string, listener: (event: SourceEvent) => void): void {
      const listeners = this.#listeners.get(type) ?? new Set()
      this.#listeners.set(type, listeners.add(listener as Listener))
    }

    removeEventListener(type: string, listener: (event: SourceEvent) => void): void {
      this.#listeners.get(type)?.delete(listener as Listener)
    }

    close(): void {
      this.readyState = this.CLOSED
      this.#closing.abort()
    }

    /** A connection that ends is opened again; an answer that is no stream of events ends it all. */
    async #follow(url: string): Promise<void> {
      while (this.readyState !== this.CLOSED) {
        try {
          if (!(await this.#connect(url))) this.close()
        } catch (error) {
          if (this.#closing.signal.aborted) return
          if (!(error instanceof Error)) throw error // a lost connection is one: it comes again
        }
        this.#tell('error', '')
        if (this.readyState !== this.CLOSED) this.readyState = this.CONNECTING
        await Bun.sleep(comeAgainMs)
      }
    }

    /** False: it is not worth coming again. */
    async #connect(url: string): Promise<boolean> {
      const response = await send(url, {
        headers: { accept: 'text/event-stream', 'last-event-id': this.#lastEventId },
        signal: this.#closing.signal,
      })
      const isStream = response.headers.get('content-type')?.startsWith('text/event-stream')
      if (!response.ok || !isStream || response.body === null) return false
      this.readyState = this.OPEN
      let waiting = ''
      for await (const text of response.body.pipeThrough(new TextDecoderStream())) {
        const blocks = (waiting + text).split('\n\n')
        waiting = blocks.pop() ?? ''
        for (const block of blocks) this.#read(block)
      }
      return true
    }

    #read(block: string): void {
      const fields = new Map(block.split('\n').map((line) => splitField(line)))
      const id = fields.get('id')
      if (id !== undefined) this.#lastEventId = id
      const data = fields.get('data')
      if (data !== undefined) this.#tell(fields.get('event') ?? 'message', data)
    }

    #tell(type: string, data: string): void {
      const event = { type, data, lastEventId: this.#lastEventId }
      for (const listener of this.#listeners.get(type) ?? []) listener(event)
    }
  }
}

function splitField(line: string): [name: string, value: string] {
  const [name = ''] = line.split(':', 1)
  return [name, line.slice(name.length + 1).trimStart()]
}
