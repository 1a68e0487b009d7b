import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

import type { GatewaySessionKind } from '../../../shared/gateway.ts'
import { mintSecret } from '../../platform/secrets.ts'
import { tokenPrefixes } from '../../platform/token-prefixes.ts'
import { type ClientTraits, clientByte, clientFromByte, protocolVersions } from './client-traits.ts'

/** What the id of a session says to who can open it. */
export interface NamedSession {
  readonly kind: GatewaySessionKind
  /** Epoch ms. */
  readonly openedAt: number
  readonly client: ClientTraits
}

/** The process that opened the session. */
interface NamedByProcess extends NamedSession {
  readonly home: string
}

/** Makes and reads the ids of sessions. */
export interface SessionNames {
  mint(principal: string, session: NamedSession): string
  /** Null: not an id of this installation, or not one for this principal. */
  read(principal: string, id: string): NamedByProcess | null
}

const prefix = tokenPrefixes.gatewaySession

/** Where there is one process, an id needs to say nothing. */
export const plainNames: SessionNames = { mint: () => mintSecret(prefix), read: () => null }

const kinds: readonly GatewaySessionKind[] = ['streamable', 'handle', 'sse']
const layout = 1
const nonceBytes = 12
const tagBytes = 16
const randomPartBytes = 16
/** Of the id of a process. */
export const homeBytes = 8
/** Layout, kind, protocol version, capabilities; the instant; the home; the random part. */
const contentBytes = 4 + 6 + homeBytes + randomPartBytes
const wholeBytes = nonceBytes + contentBytes + tagBytes

/**
 * Ids that name the process of the session and describe it, so that any process of the installation can find or rebuild
 * it. Sealed with AES-256-GCM under a key that all processes have; the principal is authenticated along, so that for
 * anybody else an id opens as little as an invented one. `home`: of this process, lowercase hex.
 */
export function createSealedNames(secret: Buffer, home: string): SessionNames {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'gateway:session-ids', 32))

  return {
    mint(principal, { kind, openedAt, client }) {
      const content = Buffer.concat([
        Buffer.from([layout, kinds.indexOf(kind), versionByte(client), clientByte(client)]),
        instantBytes(openedAt),
        Buffer.from(home, 'hex'),
        randomBytes(randomPartBytes),
      ])
      const nonce = randomBytes(nonceBytes)
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(place(principal))
      const sealed = Buffer.concat([nonce, cipher.update(content), cipher.final(), cipher.getAuthTag()])
      return prefix + sealed.toString('base64url')
    },

    read(principal, id) {
      const sealed = sealedPart(id)
      if (sealed === null) return null
      const content = opened(key, sealed, place(principal))
      return content === null ? null : described(content)
    },
  }
}

const place = (principal: string): Buffer => Buffer.from(`gateway:session:${principal}`)

/** Null as well for another spelling of the same bytes: an id is one text. */
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

function described(content: Buffer): NamedByProcess | null {
  const kind = kinds[content.readUInt8(1)]
  // A later version of ours may say more.
  if (content.readUInt8(0) !== layout || kind === undefined) return null
  return {
    kind,
    openedAt: content.readUIntBE(4, 6),
    client: clientFromByte(content.readUInt8(3), protocolVersions[content.readUInt8(2)] ?? null),
    home: content.subarray(10, 10 + homeBytes).toString('hex'),
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
