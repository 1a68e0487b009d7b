import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Both in PEM. */
export interface ServerCertificate {
  key: string
  cert: string
}

export interface Authority {
  /** Its own certificate, in PEM. */
  ca: string
  /** `names` as OpenSSL writes them: `DNS:public.test`, `IP:127.0.0.1`. */
  issue(names: readonly string[], options?: { expired: boolean }): ServerCertificate
}

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes', '-keyout', 'key.pem']

/** A certificate authority that lives for one test run. Needs `openssl`; leaves no file behind. */
export function createAuthority(): Authority {
  const own = inEmptyDirectory((openssl, read) => {
    openssl('req', '-x509', ...newKey, '-out', 'cert.pem', '-subj', '/CN=Test authority', '-days', '2')
    return { key: read('key.pem'), cert: read('cert.pem') }
  })
  let issued = 0

  return {
    ca: own.cert,
    issue(names, { expired } = { expired: false }) {
      issued += 1
      const serial = ['-set_serial', String(issued)]
      return inEmptyDirectory((openssl, read, write) => {
        write('ca.pem', own.cert)
        write('ca.key', own.key)
        const subject = ['-subj', '/CN=Test server', '-addext', `subjectAltName=${names.join(',')}`]
        openssl('req', ...newKey, '-out', 'request.pem', ...subject)
        const lifetime = ['-days', expired ? '-1' : '2', '-copy_extensions', 'copy']
        const signer = ['-CA', 'ca.pem', '-CAkey', 'ca.key', ...serial]
        openssl('x509', '-req', '-in', 'request.pem', '-out', 'cert.pem', ...signer, ...lifetime)
        return { key: read('key.pem'), cert: read('cert.pem') }
      })
    },
  }
}

/** A certificate that no authority signed. */
export const selfSigned = (name: string): ServerCertificate =>
  inEmptyDirectory((openssl, read) => {
    const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=DNS:${name}`, '-days', '2']
    openssl('req', '-x509', ...newKey, '-out', 'cert.pem', ...subject)
    return { key: read('key.pem'), cert: read('cert.pem') }
  })

type Work<T> = (
  openssl: (...args: string[]) => void,
  read: (name: string) => string,
  write: (name: string, text: string) => void,
) => T

function inEmptyDirectory<T>(work: Work<T>): T {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-authority-'))
  const openssl = (...args: string[]): void => {
    const { exitCode, stderr } = Bun.spawnSync(['openssl', ...args], { cwd: directory, stderr: 'pipe' })
    if (exitCode !== 0) throw new Error(`openssl ${args[0]} failed: ${stderr.toString()}`)
  }
  try {
    return work(
      openssl,
      (name) => readFileSync(join(directory, name), 'utf8'),
      (name, text) => writeFileSync(join(directory, name), text, { mode: 0o600 }),
    )
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}
