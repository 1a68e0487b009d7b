import { mkdir, open, rename } from 'node:fs/promises'
import { dirname } from 'node:path'

/** Replaces a file as a whole, readable by its owner only: after a crash it holds the old text or the new one. */
export async function writeWholeFile(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o700 })
  const draft = `${path}.draft`
  const file = await open(draft, 'w', 0o600)
  try {
    await file.chmod(0o600) // a draft that a crash left behind keeps its old mode otherwise
    await file.writeFile(text)
    await file.sync()
  } finally {
    await file.close()
  }
  await rename(draft, path)
}
