import { repeat, type Repeating } from '../repeating.ts'
import type { ProcedureAnswer, SignedInClient } from '../signed-in-client.ts'
import type { CallSeen, CallOutcome } from './record.ts'

/** Somebody at the console, who looks at lists and makes keys. `acknowledged` gets the names of those that were made. */
export function startConsoleCallers(
  client: SignedInClient,
  everyMs: number,
  seen: { readonly calls: CallSeen[]; readonly acknowledged: string[] },
): Repeating {
  let turn = 0

  async function note(calling: () => Promise<ProcedureAnswer>): Promise<boolean> {
    const sentAt = performance.now()
    const { outcome, detail } = await calling().then(outcomeOf, (error: unknown) => ({
      outcome: 'cut' as const,
      detail: String(error),
    }))
    const answeredAt = performance.now()
    seen.calls.push({ traffic: 'console', key: null, sentAt, answeredAt, outcome, detail, reachedAt: null })
    return outcome === 'answered'
  }

  return repeat(async () => {
    turn += 1
    if (turn % 4 !== 0) return void (await note(() => client.query('apiKeys.list')))
    const name = `key ${turn}`
    const permissions = ['statistics_read']
    if (await note(() => client.mutate('apiKeys.create', { name, permissions }))) seen.acknowledged.push(name)
  }, everyMs)
}

const outcomes: Readonly<Record<number, CallOutcome>> = {
  200: 'answered',
  401: 'lost',
  502: 'cut',
  504: 'cut',
}

const outcomeOf = ({ status, error }: ProcedureAnswer): { outcome: CallOutcome; detail: string } => ({
  outcome: outcomes[status] ?? 'unavailable',
  detail: status === 200 ? '' : `${status} ${JSON.stringify(error)}`,
})
