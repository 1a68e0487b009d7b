import type { PublicAddress } from '../platform/http/public-address.ts'
import { accountResource, gatewayResource, resourceAt } from '../platform/http/token-doors.ts'

/** Paths of the gateway as a whole. They are names of one resource, and a token for it opens every door of the gateway. */
const gatewayPaths: ReadonlySet<string> = new Set(['', '/mcp', '/mcp/account', '/sse'])

/** One connection, or one virtual server: a token for it opens that door alone. */
const singleResource = /^\/mcp\/(?:c\/[\w:.-]{1,200}|v\/[a-z0-9-]{1,64})$/

/** OAuth is offered where its secrets cannot be read on the way. */
export const isOffered = ({ isTls, isLoopback }: PublicAddress): boolean => isTls || isLoopback

/**
 * The resource that a text names, with or without a slash at its end: a path, the same for every origin of the
 * installation. Null: none of ours.
 */
export function resourceOf(asked: string, origins: readonly string[]): string | null {
  for (const origin of origins) {
    if (!asked.startsWith(origin)) continue
    const path = resourceAt(asked.slice(origin.length).replace(/\/$/, ''))
    if (gatewayPaths.has(path)) return gatewayResource
    if (path === accountResource || singleResource.test(path)) return path
  }
  return null
}

/** A token of one connection or virtual server opens that door alone; one of the account's API opens nothing of the gateway. */
export const isGoodFor = (granted: string, needed: string): boolean =>
  granted === needed || (granted === gatewayResource && /^\/mcp\/[cv]\//.test(needed))
