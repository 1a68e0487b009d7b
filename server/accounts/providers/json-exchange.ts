import { type Egress, EgressError, type EgressRequest } from '../../platform/egress.ts'
import { privateAddressText } from '../../platform/egress/private-address.ts'
import { parseJson } from '../../platform/json.ts'
import { failed } from './provider.ts'

export type JsonAnswer =
  | { readonly kind: 'json'; readonly value: unknown }
  | { readonly kind: 'failed'; readonly detail: string }

/** A person waits for it in front of an empty page. */
const timeoutMs = 5_000
const maxBytes = 262_144

/** One exchange with a provider whose answer has to be JSON with status 200. */
export async function exchangeJson(
  egress: Egress,
  request: Pick<EgressRequest, 'url' | 'method' | 'headers' | 'body'>,
): Promise<JsonAnswer> {
  try {
    const { status, text } = await egress.request({
      ...request,
      headers: { accept: 'application/json', 'user-agent': 'gatehouse', ...request.headers },
      timeoutMs,
      maxBytes,
    })
    if (status !== 200) return failed(`status ${status}`)
    const value = parseJson(text)
    return value === undefined ? failed('no JSON') : { kind: 'json', value }
  } catch (error) {
    if (error instanceof EgressError) return failed(failureText(error, request.url))
    throw error
  }
}

/** In words for operators, to whom addresses are no secret. */
function failureText({ code, reason }: EgressError, url: string): string {
  if (code === 'ADDRESS') return privateAddressText(url)
  return reason === null ? code : `${code} (${reason})`
}
