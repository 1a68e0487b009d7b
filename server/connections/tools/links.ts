/** A link in a text that somebody else wrote. */
export interface FoundLink {
  readonly at: number
  readonly length: number
  /** True for one that hides where it goes, or takes something along. */
  readonly isDeceptive: boolean
}

const links =
  /!?\[[^\]\n]{0,200}\]\([^)\s]{1,2000}\)|\b(?:https?|ftp|file|data|javascript|vbscript|wss?):[^\s<>"'`)\]}]{3,2000}/giu

/** Documentation of protocols and schemas, and names that RFC 2606 reserves for examples. */
const withoutTarget =
  /^(?:[\w.-]+\.)?(?:example\.(?:com|org|net)|json-schema\.org|w3\.org|localhost|example|test|invalid)$/i

const shorteners =
  /^(?:bit\.ly|tinyurl\.com|t\.co|goo\.gl|is\.gd|ow\.ly|buff\.ly|cutt\.ly|rb\.gy|rebrand\.ly|shorturl\.at|t\.ly)$/i
/** Services that show their owner whatever is sent to them. */
const collectors =
  /(?:^|\.)(?:webhook\.site|requestbin\.(?:com|net)|pipedream\.net|ngrok(?:-free)?\.(?:io|app|dev)|burpcollaborator\.net|oast\.\w+|interact\.sh|beeceptor\.com|hookbin\.com|requestcatcher\.com|trycloudflare\.com|pastebin\.com)$/i
const addresses = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\[[0-9a-f:.]+\]|0x[0-9a-f]+|\d{8,10})$/i

/** Finds the links of a text. Those to nowhere in particular are left out. */
export function findLinks(text: string): FoundLink[] {
  return [...text.matchAll(links)].flatMap(({ 0: found, index: at }) => {
    const kind = kindOf(found)
    return kind === null ? [] : [{ at, length: found.length, isDeceptive: kind === 'deceptive' }]
  })
}

function kindOf(found: string): 'plain' | 'deceptive' | null {
  const isImage = found.startsWith('!')
  const target = /\]\((.*)\)$/s.exec(found)?.[1] ?? found
  if (/^(?:javascript|vbscript|data|file):/i.test(target)) return 'deceptive'
  const url = URL.parse(target)
  if (url === null) return null
  const { hostname, username } = url
  if (withoutTarget.test(hostname)) return null
  const isDisguised =
    username !== '' ||
    hostname.includes('xn--') ||
    addresses.test(hostname) ||
    shorteners.test(hostname) ||
    collectors.test(hostname)
  // An image is fetched as soon as it is shown, and takes along whatever a model put into its address.
  return isImage || isDisguised ? 'deceptive' : 'plain'
}
