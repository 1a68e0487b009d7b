import type { AnswerPlace } from '../../shared/agents.ts'
import { loopbackNames } from '../../shared/loopback-names.ts'

const maxChars = 2_000

/** Whether a client may have this address at all. `appSchemes`: of programs that people have. */
export function isAcceptableRedirect(text: string, appSchemes: readonly string[]): boolean {
  const isPlain = text.length <= maxChars && /^[\x21-\x7e]+$/.test(text) && !/[\\#*]/.test(text)
  const url = isPlain ? URL.parse(text) : null
  if (url === null || url.username !== '' || url.password !== '') return false
  if (url.protocol === 'http:') return loopbackNames.includes(url.hostname)
  return url.protocol === 'https:' || appSchemes.includes(url.protocol.slice(0, -1))
}

/** Exact, but for the port of a loopback address, which a program learns when it starts (RFC 8252, section 7.3). */
export function isRegisteredRedirect(asked: string, registered: readonly string[]): boolean {
  if (registered.includes(asked)) return true
  const bare = withoutLoopbackPort(asked)
  return bare !== null && registered.some((known) => withoutLoopbackPort(known) === bare)
}

/** Taken apart as text: parsing would make addresses alike that are not. Null: no loopback address by http. */
function withoutLoopbackPort(text: string): string | null {
  const match = /^(http:\/\/(?:127\.0\.0\.1|\[::1\]|localhost))(?::\d{1,5})?(\/[^\\#]*)?$/.exec(text)
  return match === null ? null : `${match[1]}${match[2] ?? ''}`
}

/** What people are told of where the answer goes. */
export function redirectPlace(text: string): AnswerPlace {
  const { hostname, host, port, protocol } = new URL(text)
  if (loopbackNames.includes(hostname))
    return { host: hostname, kind: 'this_machine', port: port === '' ? null : Number(port) }
  return protocol === 'https:'
    ? { host, kind: 'site', port: null }
    : { host: protocol.slice(0, -1), kind: 'program', port: null }
}
