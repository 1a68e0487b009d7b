import type { UsageNumbers } from '../../shared/usage.ts'

export interface FirstCallNews {
  readonly kind: 'waiting' | 'good' | 'bad'
  readonly text: string
}

type Counted = Pick<UsageNumbers, 'requests' | 'ok' | 'errors' | 'rateLimited' | 'creditLimited'>

/** What is known of the calls with a new key; `counted` is undefined until it was read. */
export function firstCallNews(counted: Counted | undefined): FirstCallNews {
  if (counted === undefined) return waiting
  const { requests, ok, errors, rateLimited, creditLimited } = counted
  if (ok > 0)
    return { kind: 'good', text: requests === 1 ? '1 call is counted.' : `${requests} calls are counted.` }
  if (errors > 0) return { kind: 'bad', text: 'A call came, and was answered with an error.' }
  if (rateLimited + creditLimited > 0)
    return { kind: 'bad', text: 'A call came, and a limit of the key refused it.' }
  return waiting
}

const waiting: FirstCallNews = { kind: 'waiting', text: 'Waiting for the first call …' }
