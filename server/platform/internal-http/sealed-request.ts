import { createHmac, hkdfSync, randomBytes, timingSafeEqual } from 'node:crypto'

import { openBytes, sealBytes } from './sealed-bytes.ts'

/** What a request is bound to: at another node, for another path, or at another time it is worth nothing. */
interface RequestBinding {
  readonly method: string
  /** The path with its query. */
  readonly path: string
  /** The node that asks. */
  readonly from: string
  /** The node that is meant. */
  readonly to: string
  /** Epoch ms by the clock of the database, which all nodes have in common. */
  readonly time: number
  /** The number of the request among those of `from`, by which it is received once. */
  readonly number: number
}

/** A request as it goes over the network. */
export interface SealedRequest {
  /** The value of the seal header. */
  readonly header: string
  readonly body: Uint8Array<ArrayBuffer>
  /** The key of its response, and of no other. */
  readonly responseKey: Buffer
}

/** What a seal header says besides method and path, which stand in the request itself. */
interface VerifiedRequest extends Omit<RequestBinding, 'method' | 'path'> {
  readonly responseKey: Buffer
  /** Returns the body; null for one that does not belong to the header. */
  open(sealed: Uint8Array): Uint8Array<ArrayBuffer> | null
}

/** Seals with the first key, and opens with each of them, so that the master key can be rotated. */
export interface RequestSeal {
  seal(binding: RequestBinding, body: Uint8Array): SealedRequest
  /** Returns what the header says; null for one that no node of this installation made for this method and path. */
  verify(method: string, path: string, header: string | null): VerifiedRequest | null
}

/** Node ids and base64url have no dot, and the numbers are below 2^53. */
const format = /^(\w{1,64})\.(\w{1,64})\.(\d{1,15})\.(\d{1,15})\.([\w-]{22})\.([\w-]{43})$/
const saltBytes = 16
/** The body is the only part under its key. */
const whole = { index: 0, isLast: true }

/**
 * Each request has three keys of its own, which follow from the master key, a random salt, and all that the request is bound
 * to: one proves the header, so that a stranger is refused before the body is read, and the others seal the body and the
 * response. Whatever of it is changed, all three are others; and as no key is used again, no nonce is.
 * @param masterKeys the first one seals
 */
export function createRequestSeal(masterKeys: readonly [Buffer, ...Buffer[]]): RequestSeal {
  const [sealing, ...older] = masterKeys
  const keys = [baseKeyOf(sealing), ...older.map(baseKeyOf)] as const

  return {
    seal(binding, body) {
      const salt = randomBytes(saltBytes).toString('base64url')
      const { from, to, time, number } = binding
      const text = textOf(binding, salt)
      const mac = derive(keys[0], 'header', text).toString('base64url')
      return {
        header: [from, to, time, number, salt, mac].join('.'),
        body: new Uint8Array(Buffer.concat(sealBytes(derive(keys[0], 'body', text), whole, body))),
        responseKey: derive(keys[0], 'response', text),
      }
    },
    verify(method, path, header) {
      const [all, from, to, time, number, salt, mac] = format.exec(header ?? '') ?? []
      if (all === undefined || from === undefined || to === undefined) return null
      if (salt === undefined || mac === undefined) return null
      const claims = { from, to, time: Number(time), number: Number(number) }
      const text = textOf({ method, path, ...claims }, salt)
      const given = Buffer.from(mac, 'base64url')
      const key = keys.find((one) => timingSafeEqual(derive(one, 'header', text), given))
      if (key === undefined) return null
      return {
        ...claims,
        responseKey: derive(key, 'response', text),
        open: (sealed) => openBytes(derive(key, 'body', text), whole, sealed),
      }
    },
  }
}

const baseKeyOf = (masterKey: Buffer): Buffer =>
  Buffer.from(hkdfSync('sha256', masterKey, '', 'internal-http', 32))

const derive = (baseKey: Buffer, purpose: 'header' | 'body' | 'response', text: string): Buffer =>
  createHmac('sha256', baseKey).update(`${purpose}\n${text}`).digest()

/** No part but the path can have a line break, and the path of a request has none. */
const textOf = ({ method, path, from, to, time, number }: RequestBinding, salt: string): string =>
  [method, path, from, to, time, number, salt].join('\n')
