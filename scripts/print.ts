/** Writes a line for the person at the terminal (scripts have no log). */
export function print(text: string): void {
  process.stdout.write(`${text}\n`)
}
