import type { Recording } from '../replay-node.ts'
import { startReplayNode } from '../replay-node.ts'
import { readFixture, withChanges } from './recorded-families.ts'
import type { RecordedFamily, RecordedHead } from './recorded-families.ts'

/** A node of a recorded family whose head goes on with the time. */
export interface RecordedNode {
  readonly url: string
  /** What it would answer if it followed another chain; null in families that do not tell. */
  readonly wrongChain: Recording | null
  /** Its head stays where it is. */
  hold(): void
  /** It answers this instead. */
  answer(changed: Recording): void
  /** It answers again as it did, with the head of its chain. */
  heal(): void
  stop(): Promise<void>
}

export async function startRecordedNode(family: RecordedFamily, startedAt: number): Promise<RecordedNode> {
  const fixture = await readFixture(family.family)
  const { blockMs, genesisMs = startedAt - (fixture.head?.height ?? 0) * blockMs } = family
  let heldAt: number | null = null
  let changed: Recording = {}

  function head(): RecordedHead {
    const height = Math.floor(((heldAt ?? Date.now()) - genesisMs) / blockMs)
    return { height, timeMs: genesisMs + height * blockMs }
  }
  function recording(): Recording {
    const now = head()
    const answers = withChanges(fixture.answers, family.changes, now)
    return { ...answers, ...family.answersOf?.(answers, now), ...changed }
  }
  const node = startReplayNode(recording, { remembersRequests: false })

  return {
    url: node.url,
    wrongChain: fixture.wrongChain,
    hold() {
      heldAt = Date.now()
    },
    answer(answers) {
      changed = answers
    },
    heal() {
      heldAt = null
      changed = {}
    },
    stop: node.stop,
  }
}
