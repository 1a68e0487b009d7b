/** By then every browser has taken it. */
const keptMs = 10_000

/** Lets the browser save a text as a file. */
export function saveFile(name: string, text: string, type = 'text/csv'): void {
  // Spreadsheets take a file without this mark for one of the machine's old encoding.
  const mark = type === 'text/csv' ? '\uFEFF' : ''
  const url = URL.createObjectURL(new Blob([mark + text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  setTimeout(() => URL.revokeObjectURL(url), keptMs)
}
