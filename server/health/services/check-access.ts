import { X509Certificate } from 'node:crypto'

import type { Family } from '../../../shared/chains.ts'
import type { HttpRule, ServiceSpec } from '../../../shared/health.ts'
import { ExpressionError, parseExpression } from '../../platform/expression.ts'

/** A problem in one field of a specification. */
export interface SpecProblem {
  readonly field: string
  readonly message: string
}

/** Returns what of a rule no probe could follow; null where all of it can be. */
export function findRuleProblem(rule: HttpRule | undefined): SpecProblem | null {
  if (rule === undefined) return null
  if (rule.body !== undefined && rule.method !== 'POST')
    return { field: 'rule.body', message: 'only with method POST' }
  const reads = (['matches', 'json'] as const).find((field) => rule[field] !== undefined)
  if (reads !== undefined && rule.method === 'HEAD')
    return { field: `rule.${reads}`, message: 'not with method HEAD, whose answers have no body' }
  if (rule.matches === undefined) return null
  try {
    parseExpression(rule.matches)
    return null
  } catch (error) {
    if (error instanceof ExpressionError) return { field: 'rule.matches', message: error.message }
    throw error
  }
}

const certificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g

/** Returns why the certificates cannot be used; null where they can be, and where there are none. */
export function findCaProblem({ ca, endpoint }: Pick<ServiceSpec, 'ca' | 'endpoint'>): SpecProblem | null {
  if (ca === undefined) return null
  if (!endpoint.startsWith('https:')) return { field: 'ca', message: 'only for an https endpoint' }
  const certificates = ca.match(certificate) ?? []
  const unreadable = certificates.findIndex((pem) => !isCertificate(pem))
  if (certificates.length === 0 || unreadable >= 0)
    return {
      field: 'ca',
      message: `certificate ${Math.max(0, unreadable) + 1} cannot be read; expected X.509 in PEM`,
    }
  return null
}

function isCertificate(pem: string): boolean {
  try {
    return new X509Certificate(pem).raw.length > 0
  } catch {
    return false
  }
}

/** Families whose nodes push new heads over WebSocket. */
const pushing: ReadonlySet<Family> = new Set<Family>(['evm', 'solana'])

/** Returns why a WebSocket address cannot be used; null where it can be, and where there is none. */
export function findWebSocketProblem(
  { ws, ...access }: Pick<ServiceSpec, 'ws' | 'endpoint' | 'headers'>,
  family: Family,
): SpecProblem | null {
  const message = ws === undefined ? null : whyUnusable(ws, access, family)
  return message === null ? null : { field: 'ws', message }
}

function whyUnusable(
  ws: string,
  { endpoint, headers = {} }: Pick<ServiceSpec, 'endpoint' | 'headers'>,
  family: Family,
): string | null {
  if (!pushing.has(family)) return 'only for the families evm and solana'
  const [socket, http] = [new URL(ws), new URL(endpoint)]
  if (hasCredentials(socket)) return 'put user and password into a header: WebSocket addresses carry none'
  if (Object.keys(headers).length === 0 && !hasCredentials(http)) return null
  if (socket.hostname !== http.hostname)
    return 'must be on the host of the endpoint, as it is sent its headers'
  const isLessSecure = http.protocol === 'https:' && socket.protocol !== 'wss:'
  return isLessSecure ? 'must be wss, as it is sent the headers of an https endpoint' : null
}

const hasCredentials = ({ username, password }: URL): boolean => username !== '' || password !== ''
