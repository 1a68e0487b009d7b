import { endOfObject, isKey, type MemberReader, plainText } from '../json/value-end.ts'
import type { Call, NoCall } from './call.ts'

/** Names of methods of all families. Others exist nowhere, and would only serve to hide one name in another. */
const methodPattern = /^[A-Za-z0-9_.:-]{1,100}$/

export const isMethodName = (text: string): boolean => methodPattern.test(text)

/** Reads the objects of a request one after the other. Values are slices of the text; the last of a doubled member holds. */
export class CallReader implements MemberReader {
  #version = ''
  #id = ''
  #method = ''
  #params = ''

  /** Returns where the object ends, or `noJson`. */
  read(text: string, at: number, levels: number): number {
    this.#version = ''
    this.#id = ''
    this.#method = ''
    this.#params = ''
    return endOfObject(text, at, levels - 1, this)
  }

  take(text: string, keyFrom: number, keyTo: number, from: number, to: number): void {
    // The longest first: only a key that is longer than a name can be that name in escapes, which takes long to tell.
    if (isKey(text, keyFrom, keyTo, 'jsonrpc')) this.#version = text.slice(from, to)
    else if (isKey(text, keyFrom, keyTo, 'method')) this.#method = text.slice(from, to)
    else if (isKey(text, keyFrom, keyTo, 'params')) this.#params = text.slice(from, to)
    else if (isKey(text, keyFrom, keyTo, 'id')) this.#id = text.slice(from, to)
  }

  /** What the object is that was read last. */
  made(): Call | NoCall {
    const method = plainText(this.#method) ?? ''
    const why = this.#whyNoCall(method)
    const id = this.#id === '' ? null : this.#id
    if (why !== null) return { kind: 'no-call', id: id !== null && isId(id) ? id : 'null', why }
    return { kind: 'call', id, method, params: this.#params }
  }

  #whyNoCall(method: string): string | null {
    if (this.#version !== '"2.0"' && plainText(this.#version) !== '2.0') return 'jsonrpc must be "2.0"'
    if (this.#id !== '' && !isId(this.#id)) return 'id must be a string, a number or null'
    if (!isMethodName(method)) {
      return 'method must be a string of 1 to 100 letters, digits, _ . : or -'
    }
    const kind = this.#params.charAt(0)
    if (kind !== '' && kind !== '[' && kind !== '{') return 'params must be an array or an object'
    return null
  }
}

/** Text, a number or null: told by how it begins, as it is known to be JSON. */
const isId = (json: string): boolean => !'tf[{'.includes(json.charAt(0))
