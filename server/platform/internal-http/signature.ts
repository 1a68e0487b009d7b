import { createHash, createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'

/** What the signature of a request covers. */
export interface SignedRequest {
  readonly method: string
  /** The path with its query. */
  readonly path: string
  /** The node that asks. */
  readonly from: string
  /** The node that is meant: a request for one is worth nothing at another. */
  readonly to: string
  /** Epoch ms by the clock of the database, which all nodes have in common. */
  readonly time: number
  /** The number of the request among those of `from`, which makes it unique. */
  readonly number: number
  /** SHA-256 of the body, in base64url. */
  readonly bodyHash: string
}

/** What a signature says besides method and path, which stand in the request itself. */
export interface VerifiedSignature extends Omit<SignedRequest, 'method' | 'path'> {
  /** Proof for the sender, by the key that it signed with, that a node of this installation has read the request. */
  readonly proof: string
}

/** Signs with the first key, and believes each of them, so that the master key can be rotated. */
export interface RequestSigner {
  /** Returns the value of the signature header. */
  sign(request: SignedRequest): string
  /** Returns what was signed; null for what no node of this installation signed for this method and path. */
  verify(method: string, path: string, header: string | null): VerifiedSignature | null
  /** Returns true for the proof that belongs to a signature of this signer. */
  isProof(header: string, proof: string | null): boolean
}

/** Node ids and base64url have no dot, and the numbers are below 2^53. */
const format = /^(\w{1,64})\.(\w{1,64})\.(\d{1,15})\.(\d{1,15})\.([\w-]{43})\.([\w-]{43})$/

export const hashOfBody = (body: Uint8Array): string => createHash('sha256').update(body).digest('base64url')

const derive = (masterKey: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, '', 'internal-http', 32))

/** @param masterKeys the first one signs */
export function createRequestSigner(masterKeys: readonly [Buffer, ...Buffer[]]): RequestSigner {
  const [signing, ...older] = masterKeys
  const keys = [derive(signing), ...older.map(derive)] as const

  return {
    sign(request) {
      const { from, to, time, number, bodyHash } = request
      return [from, to, time, number, bodyHash, macOf(keys[0], textOf(request))].join('.')
    },
    verify(method, path, header) {
      const [whole, from, to, time, number, bodyHash, mac] = format.exec(header ?? '') ?? []
      if (whole === undefined || from === undefined || to === undefined) return null
      if (bodyHash === undefined || mac === undefined) return null
      const claims = { from, to, time: Number(time), number: Number(number), bodyHash }
      const text = textOf({ method, path, ...claims })
      const key = keys.find((one) => isSame(macOf(one, text), mac))
      return key === undefined ? null : { ...claims, proof: proofOf(key, whole) }
    },
    isProof: (header, proof) => proof !== null && isSame(proofOf(keys[0], header), proof),
  }
}

/** No part but the path can have a line break, and the path of a request has none. */
const textOf = ({ method, path, from, to, time, number, bodyHash }: SignedRequest): string =>
  ['request', method, path, from, to, time, number, bodyHash].join('\n')

const proofOf = (key: Buffer, header: string): string => macOf(key, `proof\n${header}`)

const macOf = (key: Buffer, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url')

const isSame = (one: string, other: string): boolean =>
  one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other))
