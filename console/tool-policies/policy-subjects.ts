import type { AgentGrantView } from '../../shared/agents.ts'
import type { ApiKeyView } from '../../shared/api-keys.ts'
import type { ToolPolicy, ToolPolicySubject, ToolPolicyView } from '../../shared/tool-policies.ts'
import { connectionName } from '../gateway/connection-words.ts'
import type { ListedConnection } from '../gateway/gateway-queries.ts'

/** Something whose calls a policy can be for. */
export interface PolicyChoice {
  /** `account`, `key:key_1`, `connection:con_1` */
  readonly value: string
  readonly subject: ToolPolicySubject
  readonly name: string
  /** What it is, with its name. */
  readonly label: string
  /** Whether it can call tools; an API key without the permission cannot. */
  readonly isCalling: boolean
}

export interface AccountCallers {
  readonly keys: readonly Pick<ApiKeyView, 'id' | 'name' | 'permissions' | 'state'>[]
  readonly agents: readonly Pick<AgentGrantView, 'id' | 'clientName' | 'verifiedHost'>[]
  readonly connections: readonly Pick<ListedConnection, 'id' | 'label' | 'name'>[]
}

const valueOf = (subject: ToolPolicySubject): string =>
  subject.level === 'account' ? subject.level : `${subject.level}:${subject.id}`

function choice(subject: ToolPolicySubject, kind: string, name: string, isCalling = true): PolicyChoice {
  return { value: valueOf(subject), subject, name, label: `${kind} “${name}”`, isCalling }
}

const account: PolicyChoice = {
  ...choice({ level: 'account' }, '', 'Your whole account'),
  label: 'Your whole account',
}

/** The account itself, its API keys, agents and saved connections. */
export function policyChoices({ keys, agents, connections }: AccountCallers): readonly PolicyChoice[] {
  return [
    account,
    ...keys.map(({ id, name, permissions, state }) =>
      choice(
        { level: 'key', id },
        'API key',
        name,
        permissions.includes('gateway_use') && state !== 'expired',
      ),
    ),
    ...agents.map(({ id, clientName, verifiedHost }) =>
      choice({ level: 'key', id }, 'Agent', verifiedHost ?? clientName),
    ),
    ...connections.map((one) =>
      choice({ level: 'connection', id: one.id }, 'Connection', connectionName(one)),
    ),
  ]
}

/** One policy as the list shows it. */
export interface PolicyRow {
  readonly level: 'installation' | ToolPolicySubject['level']
  readonly key: string
  readonly name: string
  /** Null: the file of the installation sets it. */
  readonly view: ToolPolicyView | null
  /** What it was for is not there any more. */
  readonly isGone: boolean
  readonly policy: ToolPolicy
}

const levels: readonly PolicyRow['level'][] = ['installation', 'account', 'key', 'connection']

/** By level, then by name. `choices` null: the names are not known yet. */
export function policyRows(
  installation: ToolPolicy | null,
  policies: readonly ToolPolicyView[],
  choices: readonly PolicyChoice[] | null,
): readonly PolicyRow[] {
  const own = policies.map((view): PolicyRow => {
    const { subject, policy } = view
    const key = valueOf(subject)
    const found = choices?.find(({ value }) => value === key)
    const name = found?.name ?? (subject.level === 'account' ? account.name : subject.id)
    return { level: subject.level, key, name, view, isGone: choices !== null && found === undefined, policy }
  })
  const ofFile: PolicyRow[] =
    installation === null
      ? []
      : [
          {
            level: 'installation',
            key: 'installation',
            name: 'Everybody',
            view: null,
            isGone: false,
            policy: installation,
          },
        ]
  return [...ofFile, ...own].toSorted(
    (one, other) =>
      levels.indexOf(one.level) - levels.indexOf(other.level) || one.name.localeCompare(other.name),
  )
}
