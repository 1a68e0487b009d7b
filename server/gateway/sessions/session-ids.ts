import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

import type { GatewaySessionKind } from '../../../shared/gateway.ts'
import { mintSecret } from '../../platform/secrets.ts'
import { tokenPrefixes } from '../../platform/token-prefixes.ts'
import { type ClientTraits, clientByte, clientFromByte, protocolVersions } from './client-traits.ts'

/** The facts about a session that its id contains. */
export interface SessionFacts {
  readonly kind: GatewaySessionKind
  /** Epoch ms. */
  readonly openedAt: number
  readonly client: ClientTraits
}

/** The facts, and the process that opened the session. */
interface OwnedSessionFacts extends SessionFacts {
  readonly ownerProcess: string
}

/** Mints and reads session ids. */
export interface SessionIds {
  mint(callerName: string, session: SessionFacts): string
  /** Returns null for an id that this installation did not mint, or did not mint for this caller. */
  read(callerName: string, id: string): OwnedSessionFacts | null
}

const prefix = tokenPrefixes.gatewaySession

/** Ids of an installation with one process: they contain nothing but randomness. */
export const randomIds: SessionIds = { mint: () => mintSecret(prefix), read: () => null }

const kinds: readonly GatewaySessionKind[] = ['streamable', 'handle', 'sse']
const layout = 1
const nonceBytes = 12
const tagBytes = 16
const randomPartBytes = 16
/** The length of a process id. */
const processIdBytes = 8
/**
 * The sealed content: layout, kind, protocol version, capabilities; the instant; the process; the random part.
 */
const contentBytes = 4 + 6 + processIdBytes + randomPartBytes
const wholeBytes = nonceBytes + contentBytes + tagBytes

/**
 * Makes ids that name the owner process and describe the session, so that any process can find or rebuild it.
 * They are sealed with AES-256-GCM under a key that every process has. The caller's name is authenticated with
 * them: for anybody else an id is as useless as an invented one. `home` is the id of this process in lowercase
 * hex.
 */
export function createSealedIds(secret: Buffer, home: string): SessionIds {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'gateway:session-ids', 32))

  return {
    mint(callerName, { kind, openedAt, client }) {
      const content = Buffer.concat([
        Buffer.from([layout, kinds.indexOf(kind), versionByte(client), clientByte(client)]),
        instantBytes(openedAt),
        Buffer.from(home, 'hex'),
        randomBytes(randomPartBytes),
      ])
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(place(callerName))
      const sealed = Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()])
      return prefix + sealed.toString('base64url')
    },

    read(callerName, id) {
      const sealed = sealedPart(id)
      if (sealed === null) return null
      const content = opened(key, sealed, place(callerName))
      return content === null ? null : described(content)
    },
  }
}

const place = (callerName: string): Buffer => Buffer.from(`gateway:session:${callerName}`)

/** Decodes an id. Returns null for a second spelling of the same bytes, so that one session has one id. */
function sealedPart(id: string): Buffer | null {
  if (!id.startsWith(prefix)) return null
  const sealed = Buffer.from(id.slice(prefix.length), 'base64url')
  return sealed.length === wholeBytes && prefix + sealed.toString('base64url') === id ? sealed : null
}

function opened(key: Buffer, sealed: Buffer, authenticated: Buffer): Buffer | null {
  const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, nonceBytes))
    .setAAD(authenticated)
    .setAuthTag(sealed.subarray(-tagBytes))
  const content = decipher.update(sealed.subarray(nonceBytes, -tagBytes))
  try {
    decipher.final()
  } catch (error) {
    if (error instanceof Error) return null
    throw error
  }
  return content
}

function described(content: Buffer): OwnedSessionFacts | null {
  const kind = kinds[content.readUInt8(1)]
  // A later version of ours may say more.
  if (content.readUInt8(0) !== layout || kind === undefined) return null
  return {
    kind,
    openedAt: content.readUIntBE(4, 6),
    client: clientFromByte(content.readUInt8(3), protocolVersions[content.readUInt8(2)] ?? null),
    ownerProcess: content.subarray(10, 10 + processIdBytes).toString('hex'),
  }
}

const noVersion = 255

function versionByte({ protocolVersion }: ClientTraits): number {
  const index = protocolVersions.findIndex((version) => version === protocolVersion)
  return index === -1 ? noVersion : index
}

function instantBytes(at: number): Buffer {
  const bytes = Buffer.alloc(6)
  bytes.writeUIntBE(at, 0, 6)
  return bytes
}
