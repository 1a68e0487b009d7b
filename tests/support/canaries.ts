import { randomBytes } from 'node:crypto'
import { constants, inflateRawSync } from 'node:zlib'

/** Markers that are planted as secrets, and the search for them in whatever came out. */
export interface Canaries {
  /**
   * A new marker of 18 lower-case letters and digits: too short and too plain for a redactor that only knows what
   * secrets look like. `kind` says where it is planted.
   */
  plant(kind: string): string
  /** Looks for a secret that somebody else has made, too. */
  adopt(kind: string, secret: string): string
  /** Kinds of the secrets that stand in an output: plain, in hex, base64 or base64url, or in gzip in any of these. */
  findIn(output: string | Uint8Array): string[]
}

export function createCanaries(): Canaries {
  const secrets: { kind: string; secret: string; forms: string[] }[] = []

  function adopt(kind: string, secret: string): string {
    secrets.push({ kind, secret, forms: formsOf(secret) })
    return secret
  }

  function findPlainly(text: string): string[] {
    return secrets.flatMap(({ kind, forms }) => (forms.some((form) => text.includes(form)) ? [kind] : []))
  }

  return {
    adopt,
    plant: (kind) => adopt(kind, `cnry${randomBytes(7).toString('hex')}`),
    findIn(output) {
      const bytes = typeof output === 'string' ? Buffer.from(output) : Buffer.from(output)
      const texts = [bytes.toString('latin1'), ...unpacked(bytes)]
      return [...new Set(texts.flatMap(findPlainly))]
    },
  }
}

// oxlint-disable-next-line no-control-regex -- the first bytes of gzip (RFC 1952)
const gzipStart = /\x1f\x8b\x08/g
const gzipHeaderBytes = 10 // RFC 1952, as long as it names no file

function formsOf(secret: string): string[] {
  const hex = Buffer.from(secret).toString('hex')
  const base64 = [0, 1, 2].map((offset) => base64Inside(secret, offset))
  const base64url = base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_'))
  return [secret, encodeURIComponent(secret), hex, hex.toUpperCase(), ...base64, ...base64url]
}

/** What of a text's base64 is always the same, whatever stands around it, when it begins `offset` bytes into a triple. */
function base64Inside(secret: string, offset: number): string {
  const bytes = Buffer.concat([Buffer.alloc(offset), Buffer.from(secret)])
  const bitsBefore = offset * 8
  const bits = bytes.length * 8
  return bytes.toString('base64').slice(Math.ceil(bitsBefore / 6), Math.floor(bits / 6))
}

/** The content of everything that begins like gzip. */
function unpacked(bytes: Buffer): string[] {
  const text = bytes.toString('latin1')
  const starts = [...text.matchAll(gzipStart)].map(({ index }) => bytes.subarray(index))
  const inHex = [...text.matchAll(/1f8b08[0-9a-f]+/gi)].map(([hex]) => Buffer.from(hex, 'hex'))
  const inBase64 = [...text.matchAll(/H4sI[\w+/-]+/g)].map(([base64]) => Buffer.from(base64, 'base64'))
  return [...starts, ...inHex, ...inBase64].flatMap(unpack)
}

/** Without gzip's own frame, whose end Bun would insist on: other bytes may follow. */
function unpack(gzip: Buffer): string[] {
  const deflated = gzip.subarray(gzipHeaderBytes)
  try {
    return [inflateRawSync(deflated, { finishFlush: constants.Z_SYNC_FLUSH }).toString('latin1')]
  } catch {
    return [] // it only looked like gzip
  }
}
