const utf8 = new TextDecoder('utf-8', { fatal: true })

/**
 * Returns the value of a JSON text, or `undefined`, which no JSON text stands for, when it is not valid. Bytes have to be
 * UTF-8. The parser's own message is left out because it repeats a part of the text, which may be a secret.
 */
export function parseJson(text: string | Uint8Array): unknown {
  try {
    return JSON.parse(typeof text === 'string' ? text : utf8.decode(text))
  } catch {
    return undefined
  }
}
