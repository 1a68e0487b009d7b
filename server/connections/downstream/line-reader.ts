import type { Bytes } from './bodies.ts'

/** Returns a function that takes a text piece by piece, and returns the lines that end in each piece. */
export function createLineReader(): (piece: Bytes) => string[] {
  const pieces = new TextDecoder()
  let unfinished: string[] = []
  let endsWithReturn = false

  return (piece) => {
    const decoded = pieces.decode(piece, { stream: true })
    const text = endsWithReturn && decoded.startsWith('\n') ? decoded.slice(1) : decoded
    if (decoded !== '') endsWithReturn = decoded.endsWith('\r')
    unfinished.push(text)
    if (!anyBreak.test(text)) return [] // joining a long line again with each piece would take its square
    const lines = unfinished.join('').split(lineBreak)
    unfinished = [lines.pop() ?? '']
    return lines
  }
}

const anyBreak = /[\r\n]/
const lineBreak = /\r\n|\n|\r/
