/** RESP 2, the protocol of Redis, as far as clients that send commands and read answers need it. */

/** What a command is answered with: a text, a whole number, nothing, a list of these, or an error. */
export type Answer = string | number | null | readonly Answer[] | StoreError

/** An answer that says that the command was not done. The message begins with a code, as those of Redis do. */
export class StoreError {
  readonly message: string
  constructor(message: string) {
    this.message = message
  }
}

/** The bytes are not those of a client: nothing that follows can be understood. */
export class ProtocolError extends Error {}

const lineEnd = '\r\n'

/** Returns the bytes of an answer. Fractions of numbers are dropped, as Redis drops those of scripts. */
export function formatAnswer(answer: Answer): string {
  if (answer === null) return `$-1${lineEnd}`
  if (typeof answer === 'number') return `:${Math.trunc(answer)}${lineEnd}`
  if (typeof answer === 'string') return `$${Buffer.byteLength(answer)}${lineEnd}${answer}${lineEnd}`
  if (answer instanceof StoreError) return `-${answer.message}${lineEnd}`
  return `*${answer.length}${lineEnd}${answer.map(formatAnswer).join('')}`
}

export interface CommandReader {
  /** Takes what was received, and returns the commands that are whole. Throws ProtocolError. */
  read(chunk: Buffer): string[][]
}

/** Far more than any command of ours: what announces more is no client of ours. */
const mostParts = 100_000
const mostPartBytes = 1_048_576

export function createCommandReader(): CommandReader {
  let waiting: Buffer = Buffer.alloc(0)

  /** Returns the number behind the sign and where the line ends; null while the line is not whole. */
  function numberAt(at: number, sign: string, most: number): { value: number; next: number } | null {
    const end = waiting.indexOf(lineEnd, at)
    if (end === -1) return null
    const text = waiting.toString('latin1', at, end)
    const value = Number(text.slice(1))
    if (text[0] !== sign || !Number.isSafeInteger(value) || value < 0 || value > most)
      throw new ProtocolError('not a command of RESP')
    return { value, next: end + lineEnd.length }
  }

  function commandAt(start: number): { parts: string[]; next: number } | null {
    const count = numberAt(start, '*', mostParts)
    if (count === null) return null
    const parts: string[] = []
    let at = count.next
    while (parts.length < count.value) {
      const length = numberAt(at, '$', mostPartBytes)
      if (length === null) return null
      const end = length.next + length.value
      if (waiting.length < end + lineEnd.length) return null
      parts.push(waiting.toString('utf8', length.next, end))
      at = end + lineEnd.length
    }
    return { parts, next: at }
  }

  return {
    read(chunk) {
      waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk])
      const commands: string[][] = []
      let at = 0
      for (let command = commandAt(at); command !== null; command = commandAt(at)) {
        commands.push(command.parts)
        at = command.next
      }
      waiting = waiting.subarray(at)
      return commands
    },
  }
}
