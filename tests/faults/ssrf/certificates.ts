import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

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

const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes']

/** A certificate authority that lives for one test run. Needs `openssl`; leaves no file behind. */
export function createAuthority(): Authority {
  const directory = mkdtempSync(join(tmpdir(), 'gatehouse-authority-'))
  process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
  const file = (name: string): string => join(directory, name)
  let issued = 0

  const authority = ['-keyout', file('ca.key'), '-out', file('ca.pem'), '-subj', '/CN=Test authority']
  openssl('req', '-x509', ...newKey, ...authority, '-days', '2')

  return {
    ca: readFileSync(file('ca.pem'), 'utf8'),
    issue(names, { expired } = { expired: false }) {
      issued += 1
      const [key, request, cert] = [file(`${issued}.key`), file(`${issued}.csr`), file(`${issued}.pem`)]
      const subject = ['-subj', '/CN=Test server', '-addext', `subjectAltName=${names.join(',')}`]
      openssl('req', ...newKey, '-keyout', key, '-out', request, ...subject)
      const signer = ['-CA', file('ca.pem'), '-CAkey', file('ca.key'), '-set_serial', String(issued)]
      const lifetime = ['-days', expired ? '-1' : '2', '-copy_extensions', 'copy']
      openssl('x509', '-req', '-in', request, '-out', cert, ...signer, ...lifetime)
      return { key: readFileSync(key, 'utf8'), cert: readFileSync(cert, 'utf8') }
    },
  }
}

function openssl(...args: string[]): void {
  const { exitCode, stderr } = Bun.spawnSync(['openssl', ...args], { stdout: 'ignore', stderr: 'pipe' })
  if (exitCode !== 0) throw new Error(`openssl ${args[0]} failed: ${stderr.toString()}`)
}
