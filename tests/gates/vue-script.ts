/** The script blocks of a Vue file at their own lines: everything else is blanked, so that line numbers stay right. */
export function scriptOf(text: string): string {
  const blank = text.replace(/[^\n]/g, ' ')
  let script = ''
  for (const match of text.matchAll(/(<script\b[^>]*>)([\s\S]*?)<\/script>/g)) {
    const start = match.index + (match[1]?.length ?? 0)
    const body = match[2] ?? ''
    script += blank.slice(script.length, start) + body
  }
  return script + blank.slice(script.length)
}
