/**
 * Reads responses with the parser of Node, llhttp in its strict mode. Standard input holds cases, each as four bytes of
 * length (little-endian), one byte that is 1 when the request was `HEAD`, and the response; standard output gets one
 * `LlhttpVerdict` a line.
 */
import { createRequire } from 'node:module'

/** What llhttp made of the bytes of a connection that is closed behind them. */
export interface LlhttpVerdict {
  readonly isWhole: boolean
  readonly status: number
  /** Names in lower case, in base64 like the body: they may hold any byte. */
  readonly head: string
  readonly body: string
  readonly keepsAlive: boolean
}

interface Parser {
  initialize(type: number, resource: object, maxHeaderBytes: number, lenientFlags: number): void
  execute(bytes: Buffer): number | Error
  finish(): Error | undefined
  [event: number]: (...parts: never[]) => number | void
}
interface ParserClass {
  new (): Parser
  readonly RESPONSE: number
  readonly kOnHeaders: number
  readonly kOnHeadersComplete: number
  readonly kOnBody: number
  readonly kOnMessageComplete: number
}

const { HTTPParser } = createRequire(import.meta.url)('_http_common') as { HTTPParser: ParserClass }

function verdictOf(response: Buffer, isBodiless: boolean): LlhttpVerdict {
  const parser = new HTTPParser()
  const found = { isWhole: false, status: 0, head: '', keepsAlive: false }
  const parts: Buffer[] = []
  let early: string[] = []
  parser.initialize(HTTPParser.RESPONSE, {}, 65_536, 0)
  parser[HTTPParser.kOnHeaders] = (fields: string[]) => {
    early = [...early, ...fields]
  }
  parser[HTTPParser.kOnHeadersComplete] = (
    _major: number,
    _minor: number,
    fields: string[] | undefined,
    _method: unknown,
    _url: unknown,
    status: number,
    _reason: string,
    _upgrade: boolean,
    keepsAlive: boolean,
  ) => {
    if (found.isWhole) return 0
    const all = [...early, ...(fields ?? [])].map((part, place) =>
      place % 2 === 0 ? part.toLowerCase() : part,
    )
    early = []
    Object.assign(found, {
      status,
      keepsAlive,
      head: Buffer.from(all.join('\n'), 'latin1').toString('base64'),
    })
    return isBodiless && status >= 200 ? 1 : 0
  }
  parser[HTTPParser.kOnBody] = (part: Buffer) => {
    if (!found.isWhole) parts.push(Buffer.from(part))
  }
  parser[HTTPParser.kOnMessageComplete] = () => {
    if (found.status >= 200) found.isWhole = true
    else parts.length = 0
  }
  if (!(parser.execute(response) instanceof Error)) parser.finish()
  return { ...found, body: Buffer.concat(parts).toString('base64') }
}

let unread = Buffer.alloc(0)
process.stdin.on('data', (piece: Buffer) => {
  unread = Buffer.concat([unread, piece])
  const verdicts: string[] = []
  let at = 0
  while (unread.length >= at + 5 && unread.length >= at + 5 + unread.readUInt32LE(at)) {
    const from = at + 5
    const to = from + unread.readUInt32LE(at)
    verdicts.push(JSON.stringify(verdictOf(Buffer.from(unread.subarray(from, to)), unread[at + 4] === 1)))
    at = to
  }
  unread = unread.subarray(at)
  if (verdicts.length > 0) process.stdout.write(`${verdicts.join('\n')}\n`)
})
