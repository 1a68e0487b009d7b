import type { Answer } from '../../platform/shared-store/resp.ts'
import type { ScriptLogic } from '../../platform/shared-store/store-server.ts'
import type { Script } from '../../platform/shared-store/store-connection.ts'
import { exchangeScript, keptMs, tipTags } from './shared-tips.ts'

interface StoredTip {
  readonly epoch: number
  readonly height: number
  /** Epoch ms. */
  readonly at: number
}

interface StoredEndpoint {
  readonly tips: Map<string, StoredTip>
  readonly heads: Map<string, number>
  expiresAt: number
}

/** Exchanges the newest blocks in this process, for workers of one machine: as `exchangeScript` does in Redis. */
export function createOwnTips(now: () => number): {
  readonly scripts: readonly (readonly [Script, ScriptLogic])[]
} {
  const endpoints = new Map<string, StoredEndpoint>()

  function stored(key: string, at: number): StoredEndpoint {
    const known = endpoints.get(key)
    const endpoint =
      known !== undefined && known.expiresAt > at
        ? known
        : { tips: new Map(), heads: new Map(), expiresAt: 0 }
    endpoints.set(key, endpoint)
    endpoint.expiresAt = at + keptMs
    return endpoint
  }

  const exchange: ScriptLogic = ([key = ''], [, ...values]) => {
    const at = now()
    const endpoint = stored(key, at)
    const ofTags = tipTags.map((tag, index) => ({ tag, told: toldTip(values.slice(index * 3), at) }))
    const nodes = pairsOf(values.slice(tipTags.length * 3))
    const answer: Answer[] = []
    for (const { tag, told } of ofTags) {
      if (told !== null) take(endpoint, tag, told)
      const tip = endpoint.tips.get(tag)
      if (tag === 'latest' && told !== null && told.epoch === tip?.epoch) raise(endpoint.heads, nodes)
      answer.push(
        ...(tip === undefined
          ? ['-1', '-1', '-1']
          : [String(tip.epoch), String(tip.height), String(Math.max(0, at - tip.at))]),
      )
    }
    for (const [node] of nodes) answer.push(node, String(endpoint.heads.get(node) ?? -1))
    return answer
  }

  return { scripts: [[exchangeScript, exchange]] }
}

/** Null when the process knows none. */
function toldTip([epoch = '', height, age]: readonly string[], at: number): StoredTip | null {
  return epoch === '' ? null : { epoch: Number(epoch), height: Number(height), at: at - Number(age) }
}

function take(endpoint: StoredEndpoint, tag: string, told: StoredTip): void {
  const known = endpoint.tips.get(tag)
  const isNewEpoch = known !== undefined && told.epoch > known.epoch
  if (isNewEpoch && tag === 'latest') {
    endpoint.tips.clear()
    endpoint.heads.clear()
  }
  const isLater =
    known === undefined ||
    isNewEpoch ||
    (told.epoch === known.epoch &&
      (told.height > known.height || (told.height === known.height && told.at > known.at)))
  if (isLater) endpoint.tips.set(tag, told)
}

function raise(heads: Map<string, number>, nodes: readonly (readonly [string, number])[]): void {
  for (const [node, height] of nodes) if (height > (heads.get(node) ?? -Infinity)) heads.set(node, height)
}

const pairsOf = (values: readonly string[]): (readonly [string, number])[] =>
  Array.from({ length: Math.floor(values.length / 2) }, (_, index) => [
    values[index * 2] ?? '',
    Number(values[index * 2 + 1]),
  ])
