import { type Fault, fault } from '../fault.ts'
import { isQueryKey, tokenPrefixes } from '../token-prefixes.ts'

/** One text for all: it does not tell whether a key exists. */
export const unauthorizedText = 'A valid API key is needed, as Authorization: Bearer <API key>'

const queryKeyText = `This is a query key, which makes calls to nodes: an API key is needed, which begins with ${tokenPrefixes.apiKey}`

/** Returns what is wrong with a value that is no valid API key: that it is a query key can be told from its look, else `usual`. */
export const badKeyText = (value: string | null, usual: string): string =>
  isQueryKey(value) ? queryKeyText : usual

export const tooManyBadKeysText = 'Too many requests with a bad API key from this address'

export const tooManyBadKeys = (retryAfterSec: number): Fault =>
  fault('rate_limited', tooManyBadKeysText, { retryAfterSec })
