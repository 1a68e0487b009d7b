import type { CliCommand } from '../arguments/command.ts'
import type { ProcedureOutputs } from '../control-client.ts'
import { Plan } from '../../../shared/plans.ts'
import { formatTable } from '../output/table.ts'
import { serverCommand } from '../server-command.ts'
import { describedInFiles } from './described-in-files.ts'

type ListedPlan = ProcedureOutputs['plans']['list'][number]

const titles = [
  'NAME',
  'ACCOUNTS',
  'KEYS',
  'EACH KEY',
  'ALL KEYS',
  'ENDPOINTS',
  'METHODS',
  'DAYS',
  'MANAGED BY',
]

const mostText = (most: ListedPlan['keyMost']): string =>
  [most?.rate, most?.credits && `${most.credits} credits`].filter(Boolean).join(', ') || '-'

/** Returns plans as a table. */
export const plansTable = (plans: readonly ListedPlan[]): string =>
  formatTable(
    titles,
    plans.map(({ name, isForSignUp, accounts, maxKeys, keyMost, totalMost, managedBy, ...plan }) => [
      isForSignUp ? `${name} (new accounts)` : name,
      String(accounts),
      String(maxKeys ?? '-'),
      mostText(keyMost),
      mostText(totalMost),
      plan.endpoints?.join(' ') ?? '-',
      plan.methods?.join(' ') ?? '-',
      String(plan.keyDays ?? '-'),
      managedBy,
    ]),
  )

const list = serverCommand({
  name: 'plans list',
  about: 'Lists the plans, and how many accounts have each.',
  ask: (client): Promise<readonly ListedPlan[]> => client.plans.list.query(),
  text: (plans) =>
    plans.length === 0 ? 'There are no plans; see plans add --help.' : plansTable(plans).trimEnd(),
})

export const planCommands: readonly CliCommand[] = [
  list,
  ...describedInFiles({
    group: 'plans',
    one: 'a plan',
    section: 'plans',
    example: '{ name: small, maxKeys: 3, totalMost: { rate: 1000/minute } }',
    schema: Plan,
    nameOf: ({ name }) => name,
    add: (client, plan) => client.plans.create.mutate(plan),
    remove: (client, name) => client.plans.delete.mutate({ name }),
  }),
]
