import { maxUploadBytes } from '../../shared/registry.ts'
import { ReportedError } from '../reported-error.ts'

/** Why a file cannot be sent, in a sentence; null: it can. */
export function uploadProblem({ name, size }: Pick<File, 'name' | 'size'>): string | null {
  if (!/\.(?:tar\.gz|tgz|tar)$/i.test(name)) return 'Choose a .tar.gz file.'
  if (size > maxUploadBytes) {
    const most = (maxUploadBytes / 1_000_000).toFixed(0)
    return `A browser can send up to ${most} MB. Import larger ones on the server: gatehouse registry import ${name}`
  }
  return size === 0 ? 'The file is empty.' : null
}

/** The content of a file in Base64. */
export function base64Of(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader()
    reader.addEventListener('load', () => {
      const text = typeof reader.result === 'string' ? reader.result : ''
      resolve(text.slice(text.indexOf(',') + 1))
    })
    reader.addEventListener('error', () => reject(new ReportedError('The file could not be read.')))
    reader.readAsDataURL(file)
  })
}
