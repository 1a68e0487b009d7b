import { createCipheriv, createDecipheriv, hkdfSync } from 'node:crypto'

import { Frame } from './frame.ts'

/** An opened frame, its payload, and the process that sent it. */
export interface ReceivedFrame {
  readonly from: string
  readonly frame: Frame
  readonly bytes: Uint8Array
}

/** Encrypts frames, so that only processes of this installation can read or make them. */
export interface FrameSeal {
  seal(to: string, frame: Frame, bytes: Uint8Array): string
  /**
   * Returns null for a text that no process of this installation made for this one, and for a replayed one.
   */
  open(text: string): ReceivedFrame | null
}

const tagBytes = 16
const lengthBytes = 4
/**
 * The number of senders whose counters are remembered. A forgotten sender is accepted again from any number on.
 */
const maxSenders = 1_000
const nothing = new Uint8Array()

interface Sender {
  readonly key: Buffer
  /** The number of the last frame accepted from this sender. */
  last: number
}

/**
 * Seals frames with AES-256-GCM under one key for each sender. The sender numbers its frames: the number is the
 * nonce, and because frames arrive in order, a number that is not above the last one is a replay. Text form:
 * `<sender>.<number>.<base64>`.
 */
export function createFrameSeal(secret: Buffer, processId: string): FrameSeal {
  const keyOf = (sender: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, '', `gateway:frames:${sender}`, 32))
  const ownKey = keyOf(processId)
  const senders = new Map<string, Sender>()
  let sent = 0

  function senderOf(name: string): Sender {
    const known = senders.get(name)
    if (known !== undefined) return known
    return { key: keyOf(name), last: 0 }
  }

  function remember(name: string, sender: Sender): void {
    senders.delete(name)
    senders.set(name, sender)
    const [longestSilent] = senders.keys()
    if (senders.size > maxSenders && longestSilent !== undefined) senders.delete(longestSilent)
  }

  return {
    seal(to, frame, bytes) {
      sent += 1
      const header = Buffer.from(JSON.stringify(frame))
      const length = Buffer.alloc(lengthBytes)
      length.writeUInt32BE(header.length)
      const cipher = createCipheriv('aes-256-gcm', ownKey, nonceOf(sent)).setAAD(place(processId, to))
      const sealed = Buffer.concat([
        cipher.update(length),
        cipher.update(header),
        cipher.update(bytes),
        cipher.final(),
        cipher.getAuthTag(),
      ])
      return `${processId}.${sent}.${sealed.toString('base64')}`
    },

    open(text) {
      const nameEnd = text.indexOf('.')
      const numberEnd = text.indexOf('.', nameEnd + 1)
      const name = text.slice(0, Math.max(0, nameEnd))
      const number = Number(text.slice(nameEnd + 1, numberEnd))
      if (!/^[0-9a-f]{16}$/.test(name) || !Number.isSafeInteger(number)) return null
      const sender = senderOf(name)
      if (number <= sender.last) return null
      const sealed = Buffer.from(text.slice(numberEnd + 1), 'base64')
      const content = opened(sender.key, nonceOf(number), place(name, processId), sealed)
      if (content === null) return null
      sender.last = number
      remember(name, sender)
      return received(name, content)
    },
  }
}

const place = (from: string, to: string): Buffer => Buffer.from(`${from}>${to}`)

function nonceOf(number: number): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeBigUInt64BE(BigInt(number), 4)
  return nonce
}

function opened(key: Buffer, nonce: Buffer, aad: Buffer, sealed: Buffer): Buffer | null {
  if (sealed.length < tagBytes + lengthBytes) return null
  const decipher = createDecipheriv('aes-256-gcm', key, nonce)
    .setAAD(aad)
    .setAuthTag(sealed.subarray(-tagBytes))
  const content = decipher.update(sealed.subarray(0, -tagBytes))
  try {
    decipher.final()
  } catch (error) {
    if (error instanceof Error) return null
    throw error
  }
  return content
}

function received(from: string, content: Buffer): ReceivedFrame | null {
  const headerEnd = lengthBytes + content.readUInt32BE(0)
  const header: unknown = JSON.parse(content.toString('utf8', lengthBytes, headerEnd))
  const frame = Frame.safeParse(header)
  // During an update another version of ours may say what this one does not know.
  if (!frame.success) return null
  return {
    from,
    frame: frame.data,
    bytes: headerEnd < content.length ? content.subarray(headerEnd) : nothing,
  }
}
