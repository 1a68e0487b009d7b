import type { RequestFilter } from '../../shared/request-log.ts'
import type { InternalHttp } from '../platform/internal-http/internal-http.ts'
import type { Log } from '../platform/log.ts'
import { feedMessages } from './fleet-messages.ts'
import type { FeedEvent } from './live-requests.ts'

/** A process of the installation as people are told of it. */
export interface OtherProcess {
  readonly id: string
  /** Of its internal listener. */
  readonly url: string
}

/** Streams of what the other processes log, for one who follows here. */
export interface OtherStreams {
  /** Opens those that are missing, closes those of processes that are gone, and gives up those that say nothing. */
  check(): void
  /** How many other processes there are. */
  count(): number
  silent(): OtherProcess[]
  close(): void
}

interface OtherStreamsOptions {
  readonly internal: Pick<InternalHttp, 'send'> & {
    readonly registry: Pick<InternalHttp['registry'], 'others'>
  }
  readonly monotonic: () => number
  readonly log: Log
  readonly accountId: string | null
  readonly filter: RequestFilter
  onEvent(event: FeedEvent): void
  /** Called when others are silent than before. */
  onChange(): void
}

interface OtherStream {
  readonly process: OtherProcess
  left: AbortController
  openedAt: number
  /** When it last said something. */
  heardAt: number
  isSilent: boolean
}

const headMs = 2_000
/** Each says something twice a second. */
const silentAfterMs = 5_000
const openAgainMs = 2_000
/** An event holds at most a hundred requests. */
const mostChars = 4_000_000

export function createOtherStreams(options: OtherStreamsOptions): OtherStreams {
  const { internal, monotonic, log, accountId, filter, onEvent, onChange } = options
  const streams = new Map<string, OtherStream>()
  const body = JSON.stringify({ accountId, filter })

  function mark(stream: OtherStream, isSilent: boolean): void {
    if (stream.isSilent === isSilent) return
    stream.isSilent = isSilent
    onChange()
  }

  async function read(stream: OtherStream): Promise<void> {
    const { signal } = stream.left
    try {
      const request = { path: feedMessages.path, body, headMs, signal }
      for await (const event of eventsOf(await internal.send(stream.process.id, request))) {
        if (signal.aborted) return
        stream.heardAt = monotonic()
        mark(stream, false)
        if (event.requests.length > 0) onEvent(event)
      }
    } catch (error) {
      if (!signal.aborted)
        log.debug('another process does not tell what it logs', { node: stream.process.id, error })
    }
    if (!signal.aborted) mark(stream, true)
  }

  function open(stream: OtherStream): void {
    stream.left.abort()
    stream.left = new AbortController()
    stream.openedAt = stream.heardAt = monotonic()
    void read(stream)
  }

  function checkOne(stream: OtherStream): void {
    if (!stream.isSilent && monotonic() - stream.heardAt > silentAfterMs) {
      stream.left.abort()
      mark(stream, true)
    }
    if (stream.isSilent && monotonic() - stream.openedAt >= openAgainMs) open(stream)
  }

  return {
    check() {
      const others = internal.registry.others()
      for (const [id, stream] of streams) {
        if (others.some((other) => other.id === id)) continue
        stream.left.abort()
        streams.delete(id)
        onChange()
      }
      for (const { id, url } of others) {
        const known = streams.get(id)
        if (known !== undefined) {
          checkOne(known)
          continue
        }
        const stream = {
          process: { id, url },
          left: new AbortController(),
          openedAt: 0,
          heardAt: 0,
          isSilent: false,
        }
        streams.set(id, stream)
        open(stream)
        onChange()
      }
    },
    count: () => streams.size,
    silent: () => [...streams.values()].filter(({ isSilent }) => isSilent).map(({ process }) => process),
    close() {
      for (const { left } of streams.values()) left.abort()
      streams.clear()
    },
  }
}

/** Yields the events of an answer. Throws for one that is none. */
async function* eventsOf({ ok, body }: Response): AsyncGenerator<FeedEvent> {
  if (!ok || body === null) throw new Error('another process does not tell what it logs')
  let text = ''
  for await (const piece of body.pipeThrough(new TextDecoderStream())) {
    const lines = `${text}${piece}`.split('\n')
    text = lines.pop() ?? ''
    if (text.length > mostChars) throw new Error('an event of another process is too long')
    for (const line of lines) yield feedMessages.Event.parse(JSON.parse(line))
  }
}
