import type { ToolPolicy, ToolPolicyTestResult } from '../../shared/tool-policies.ts'
import { limitText, unitsText } from '../query-keys/limit-words.ts'
import type { PolicyRow } from './policy-subjects.ts'

export const levelTitles: Readonly<Record<PolicyRow['level'], string>> = {
  installation: 'Installation',
  account: 'Account',
  key: 'API keys and agents',
  connection: 'Saved connections',
}

interface RuleText {
  readonly key: string
  readonly title: string
  readonly text: string
}

const manyTools = 8

function toolsText(tools: readonly string[]): string {
  const shown = tools.slice(0, manyTools).join(', ')
  return tools.length > manyTools ? `${shown} and ${tools.length - manyTools} more` : shown
}

/** What a policy says, a line for each kind of rule that it has. */
export function toolPolicyTexts(policy: ToolPolicy): readonly RuleText[] {
  const { allow, deny, readOnly, limits, prices, credits, arguments: rules } = policy
  const lines = [
    { title: 'Allowed', text: allow === undefined ? '' : `only ${toolsText(allow)}` },
    { title: 'Denied', text: toolsText(deny) },
    { title: 'Read only', text: readOnly ? 'only tools that say they only read' : '' },
    {
      title: 'Most calls',
      text: limits
        .map(({ tools, calls, period }) => `${toolsText(tools)}: ${limitText({ units: calls, period })}`)
        .join('; '),
    },
    {
      title: 'Prices',
      text: prices
        .map(({ tools, credits: price }) => `${toolsText(tools)}: ${creditsText(price)}`)
        .join('; '),
    },
    { title: 'Most credits', text: credits === undefined ? '' : limitText(credits) },
    { title: 'Arguments', text: rules.map(({ tools }) => toolsText(tools)).join('; ') },
  ]
  return lines.filter(({ text }) => text !== '').map((line) => ({ key: line.title, ...line }))
}

const creditsText = (credits: number): string =>
  credits === 1 ? '1 credit' : `${unitsText(credits)} credits`

const owners: Readonly<Record<string, string>> = {
  installation: 'the installation',
  account: 'the account',
  key: 'the key or agent',
  connection: 'the connection',
}
const ruleNames: Readonly<Record<string, string>> = {
  allow: 'allowed tools',
  deny: 'denied tools',
  readOnly: 'read only',
  limits: 'limit',
  credits: 'credits',
  arguments: 'arguments',
}

/** `connection limits[0]`, as the server names a rule, in words: `policy of the connection, limit 1`. */
export function ruleText(rule: string): string {
  const [isPolicy, level = '', name = '', place] = /^(\w+) (\w+)(?:\[(\d+)\])?$/.exec(rule) ?? []
  if (isPolicy === undefined) return otherRules[rule] ?? rule
  const number = place === undefined ? '' : ` ${Number(place) + 1}`
  return `policy of ${owners[level] ?? level}, ${ruleNames[name] ?? name}${number}`
}

/** What denies calls beside the policies. */
const otherRules: Readonly<Record<string, string>> = {
  changed_tool: 'settings of the connection, changed tools are blocked until they are accepted',
}

/** What a call that is allowed takes: `1 of 10 per hour (policy of the account, limit 1)`. */
export const countedTexts = ({ counted }: Pick<ToolPolicyTestResult, 'counted'>): readonly string[] =>
  counted.map(({ rule, limit, units }) => `${unitsText(units)} of ${limitText(limit)} (${ruleText(rule)})`)
