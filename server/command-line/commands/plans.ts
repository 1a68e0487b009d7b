import type { CliCommand } from '../arguments/command.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import { formatTable } from '../output/table.ts'
import { serverCommand } from '../server-command.ts'

type ListedPlan = ProcedureOutputs['plans']['list'][number]

const titles = ['NAME', 'ACCOUNTS', 'KEYS', 'EACH KEY', 'ALL KEYS', 'ENDPOINTS', 'METHODS', 'DAYS']

const mostText = (most: ListedPlan['keyMost']): string =>
  [most?.rate, most?.credits && `${most.credits} credits`].filter(Boolean).join(', ') || '-'

/** Returns plans as a table. */
export const plansTable = (plans: readonly ListedPlan[]): string =>
  formatTable(
    titles,
    plans.map(({ name, isForSignUp, accounts, maxKeys, keyMost, totalMost, endpoints, methods, keyDays }) => [
      isForSignUp ? `${name} (new accounts)` : name,
      String(accounts),
      String(maxKeys ?? '-'),
      mostText(keyMost),
      mostText(totalMost),
      endpoints?.join(' ') ?? '-',
      methods?.join(' ') ?? '-',
      String(keyDays ?? '-'),
    ]),
  )

const list = serverCommand({
  name: 'plans list',
  about: 'Lists the plans that the file declares, and how many accounts have each.',
  ask: (client): Promise<readonly ListedPlan[]> => client.plans.list.query(),
  text: (plans) => (plans.length === 0 ? 'The file declares no plans.' : plansTable(plans).trimEnd()),
})

export const planCommands: readonly CliCommand[] = [list]
