import type { SomeQueryKey, StoredQueryKey } from '../world/console-query-keys.ts'
import type { PastCalls } from '../world/past-calls.ts'

type Use = Pick<PastCalls, 'perHour' | 'errorShare' | 'refused' | 'sinceDays' | 'untilDays'>
type UsedKey = SomeQueryKey & Use

/** As an account has them that serves an app, its website and some jobs: the oldest first. */
const usedKeys: readonly UsedKey[] = [
  { name: 'Indexer', endpoint: 'ethereum', type: 'partner', rate: '300/second', credits: '2000000/day', allowedIps: ['198.51.100.0/24', '2001:db8:40::/48'], createdDaysAgo: 160, usedMinutesAgo: 1, perHour: { eth_getLogs: 410, eth_getBlockByNumber: 520, eth_getTransactionReceipt: 640 }, errorShare: 0.021 }, // prettier-ignore
  { name: 'Nightly report', endpoint: 'base', createdDaysAgo: 120, usedMinutesAgo: 610, perHour: { eth_getLogs: 25, eth_getBlockByNumber: 30 } }, // prettier-ignore
  { name: 'Website', endpoint: 'base', credits: '250000/day', allowedDomains: ['acme.example', '*.acme.example'], createdDaysAgo: 64, usedMinutesAgo: 2, perHour: { eth_call: 330, eth_blockNumber: 210 } }, // prettier-ignore
  { name: 'Public demo', endpoint: 'polygon', rate: '50/day', createdDaysAgo: 41, calls: 46, perHour: { eth_call: 120, eth_chainId: 90 }, refused: { hours: 5, byRate: 187, byCredits: 0 } }, // prettier-ignore
  { name: 'Price feed', endpoint: 'ethereum', rate: '120/minute', credits: '40000/month', allowedIps: ['203.0.113.10'], createdDaysAgo: 33, usedMinutesAgo: 4, perHour: { eth_call: 480 }, errorShare: 0.09 }, // prettier-ignore
  { name: 'Partner sandbox', endpoint: 'ethereum', type: 'partner', credits: '1000/week', createdDaysAgo: 12, calls: 43, endsInDays: 9, perHour: { eth_getBalance: 75, eth_blockNumber: 40 }, refused: { hours: 9, byRate: 0, byCredits: 31 }, sinceDays: 12 }, // prettier-ignore
  {
    name: 'Mobile app, beta',
    endpoint: 'base',
    rate: '20/second',
    createdDaysAgo: 3,
    endsInDays: 87,
    perHour: {},
  },
  { name: 'Wallet app', endpoint: 'ethereum', type: 'partner', rate: '100/hour', credits: '5000/day', allowedIps: ['127.0.0.0/8'], createdDaysAgo: 50, calls: 64, perHour: { eth_call: 940, eth_blockNumber: 720, eth_getBalance: 610, eth_chainId: 260, eth_sendRawTransaction: 42 } }, // prettier-ignore
]

export const picturedQueryKeys: readonly SomeQueryKey[] = usedKeys

/** How the keys were used in the last weeks. */
export const usesOf = (stored: readonly StoredQueryKey[], accountId: string): PastCalls[] =>
  stored.flatMap(({ id, hint, name }) => {
    const key = usedKeys.find((one) => one.name === name)
    if (key === undefined || Object.keys(key.perHour).length === 0) return []
    return [{ ...key, id, hint, accountId }]
  })
