import { parseJson } from '../../platform/json.ts'
import type { Bytes } from '../downstream/bodies.ts'
import { createLineReader } from '../downstream/line-reader.ts'
import { type QuotedSecret, hiddenInResult } from '../downstream/quoted-secret.ts'

/** Takes the secret of a connection out of what its tool server answers to a client directly. The rest stays as it is. */
export interface AnswerSecrets {
  hiddenInBody(body: Bytes): Bytes
  /**
   * Returns a function that takes an event stream piece by piece, and returns what can be passed on of it: events that
   * have ended, and comments, by which servers keep a connection alive.
   */
  hiddenInEvents(): (piece: Bytes) => Bytes
}

/** `showsSecrets`: whether results may hold the secret; errors, questions and notifications never do. */
export function createAnswerSecrets(quoted: QuotedSecret, showsSecrets: boolean): AnswerSecrets {
  function hiddenInText(text: string): string {
    const message = parseJson(text)
    if (message === undefined) return quoted.hiddenIn(text)
    const hidden = hiddenInMessage(message)
    return hidden === message ? text : JSON.stringify(hidden)
  }

  function hiddenInMessage(message: unknown): unknown {
    if (Array.isArray(message)) {
      const items = message.map(hiddenInMessage)
      return items.every((item, place) => item === message[place]) ? message : items
    }
    if (typeof message !== 'object' || message === null || !('result' in message))
      return quoted.hiddenInAll(message)
    const { result, ...others } = message
    const shown = hiddenInResult(result, quoted, showsSecrets)
    const shownOthers = quoted.hiddenInAll(others)
    return shown === result && shownOthers === others ? message : { ...Object(shownOthers), result: shown }
  }

  function hiddenInEvent(lines: readonly string[]): readonly string[] {
    const data = lines.filter((line) => dataField.test(line)).map((line) => line.replace(dataField, ''))
    const text = data.join('\n')
    const hidden = hiddenInText(text)
    const shown = lines.map((line) => (dataField.test(line) ? line : quoted.hiddenIn(line)))
    if (hidden === text) return shown
    return [
      ...shown.filter((line) => !dataField.test(line)),
      ...hidden.split('\n').map((line) => `data: ${line}`),
    ]
  }

  return {
    hiddenInBody(body) {
      const text = decode(body)
      const hidden = hiddenInText(text)
      return hidden === text ? body : encoder.encode(hidden)
    },
    hiddenInEvents() {
      const linesOf = createLineReader()
      let event: string[] = []
      return (piece) => {
        const passed: string[] = []
        for (const line of linesOf(piece)) {
          if (line.startsWith(':')) passed.push(quoted.hiddenIn(line))
          else if (line !== '') event.push(line)
          else {
            passed.push(...hiddenInEvent(event), '')
            event = []
          }
        }
        return encoder.encode(passed.map((line) => `${line}\n`).join(''))
      }
    },
  }
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()
const decode = (bytes: Bytes): string => decoder.decode(bytes)

const dataField = /^data(?:: ?|$)/
