import type { Log } from '../../platform/log.ts'
import {
  createStoreConnection,
  listIn,
  type Script,
  type StorePlace,
  tagOf,
} from '../../platform/shared-store/store-connection.ts'
import { StoreLost } from '../../platform/shared-store/store-failure.ts'
import { laterTip, type ServedTip } from './served-tip.ts'

/** The tags whose newest block an endpoint remembers. */
export const tipTags = ['latest', 'safe', 'finalized'] as const
export type TipTag = (typeof tipTags)[number]

/** What is known of an endpoint: by one process, or by all of them. */
export interface TipView {
  readonly tips: Readonly<Record<TipTag, ServedTip | null>>
  /** The highest block that each upstream has reported, by the id of the upstream. */
  readonly heads: ReadonlyMap<string, number>
}

/** The served tips of an installation of several processes. */
export interface SharedTips {
  /**
   * Tells the other processes what this one knows of an endpoint, and resolves to what all know: whatever one of them has
   * told before is in it. Resolves to null while the store is away; then each process goes on alone.
   */
  exchange(endpoint: string, own: TipView): Promise<TipView | null>
  close(): void
}

/** An endpoint that nobody calls for so long begins anew. */
export const keptMs = 3_600_000
/** A command that takes longer has lost the store. */
const storeDeadlineMs = 250

/**
 * KEYS the endpoint. ARGV how long it is kept (ms) · for each tag epoch, height and age (ms) of the tip, or nothing three
 * times · for each upstream its id and height.
 * Answers for each tag epoch, height and age, or -1 three times · for each upstream its id and height.
 */
export const exchangeScript: Script = {
  name: 'exchange-tips',
  text: `
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local answer = {}
for index, tag in ipairs({'latest', 'safe', 'finalized'}) do
  local from = 2 + (index - 1) * 3
  local epoch, height, age = tonumber(ARGV[from]), tonumber(ARGV[from + 1]), tonumber(ARGV[from + 2])
  local stored = redis.call('HMGET', KEYS[1], tag .. ':epoch', tag .. ':height', tag .. ':at')
  local storedEpoch, storedHeight, storedAt = tonumber(stored[1]), tonumber(stored[2]), tonumber(stored[3])
  if epoch then
    local at = now - age
    if storedEpoch and epoch > storedEpoch and tag == 'latest' then
      redis.call('DEL', KEYS[1])
      storedEpoch = nil
    end
    local isLater = not storedEpoch or epoch > storedEpoch
      or (epoch == storedEpoch and (height > storedHeight or (height == storedHeight and at > storedAt)))
    if isLater then
      storedEpoch, storedHeight, storedAt = epoch, height, at
      redis.call('HSET', KEYS[1], tag .. ':epoch', epoch, tag .. ':height', height, tag .. ':at', at)
    end
    if index == 1 and epoch == storedEpoch then
      for node = 11, #ARGV, 2 do
        local known = tonumber(redis.call('HGET', KEYS[1], 'node:' .. ARGV[node]))
        if not known or tonumber(ARGV[node + 1]) > known then
          redis.call('HSET', KEYS[1], 'node:' .. ARGV[node], ARGV[node + 1])
        end
      end
    end
  end
  answer[#answer + 1] = tostring(storedEpoch or -1)
  answer[#answer + 1] = tostring(storedHeight or -1)
  answer[#answer + 1] = tostring(storedAt and math.max(0, now - storedAt) or -1)
end
redis.call('PEXPIRE', KEYS[1], ARGV[1])
for node = 11, #ARGV, 2 do
  answer[#answer + 1] = ARGV[node]
  answer[#answer + 1] = redis.call('HGET', KEYS[1], 'node:' .. ARGV[node]) or '-1'
end
return answer
`,
}

interface SharedTipsOptions {
  readonly store: StorePlace
  readonly now: () => number
  readonly log: Log
}

export function createSharedTips({ store, now, log }: SharedTipsOptions): SharedTips {
  const ownTag = tagOf(store, 'tips')
  let isLost = false
  const connection = createStoreConnection({
    url: store.url,
    key: ownTag,
    deadlineMs: storeDeadlineMs,
    onConnected() {
      isLost = false
    },
    onLost({ message: reason }) {
      if (!isLost) log.warn('each process knows only its own newest blocks: the store is away', { reason })
      isLost = true
    },
  })
  return {
    async exchange(endpoint, own) {
      const ofTags = tipTags.flatMap((tag) => tipValues(own.tips[tag], now()))
      const ofNodes = [...own.heads].flat()
      try {
        const answer = await connection.run(
          exchangeScript,
          [`${ownTag}:${endpoint}`],
          [keptMs, ...ofTags, ...ofNodes],
        )
        return readView(listIn(answer).map(String), own, now())
      } catch (error) {
        if (error instanceof StoreLost) return null
        throw error
      }
    },
    close: connection.close,
  }
}

const tipValues = (tip: ServedTip | null, now: number): (string | number)[] =>
  tip === null ? ['', '', ''] : [tip.epoch, tip.height, Math.max(0, Math.round(now - tip.confirmedAt))]

function readView(values: readonly string[], own: TipView, now: number): TipView {
  const tipAt = (index: number, ownTip: ServedTip | null): ServedTip | null => {
    const [epoch = -1, height = -1, age = -1] = values.slice(index, index + 3).map(Number)
    return height < 0 ? ownTip : laterTip(ownTip, { epoch, height, confirmedAt: now - age })
  }
  const { latest, safe, finalized } = own.tips
  const heads = new Map<string, number>()
  for (let index = 9; index + 1 < values.length; index += 2) {
    const height = Number(values[index + 1])
    if (height >= 0) heads.set(values[index] ?? '', height)
  }
  return { tips: { latest: tipAt(0, latest), safe: tipAt(3, safe), finalized: tipAt(6, finalized) }, heads }
}
