/** The `data` of every event of a `text/event-stream` body (HTML Living Standard section 9.2), in order. */
export function readEventStream(text: string): string[] {
  const blocks = text
    .replace(/^\uFEFF/, '')
    .replace(/\r\n?/g, '\n')
    .split(/\n{2,}/)
  return blocks.map(dataOf).filter((data) => data !== null)
}

function dataOf(block: string): string | null {
  const lines = block.split('\n').filter((line) => line === 'data' || line.startsWith('data:'))
  return lines.length === 0 ? null : lines.map((line) => line.slice(5).replace(/^ /, '')).join('\n')
}
