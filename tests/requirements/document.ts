import type { Decisions, Requirement } from './requirement.ts'

/** One part of the specification with the decisions that belong to it. */
export interface DecisionArea {
  title: string
  requirements: readonly Requirement[]
  decisions: Decisions
}

const head = `# Decisions

What Gatehouse does where the specification says "not shown" or leaves room. This file is written by \`npm run decisions\`
from the data beside it; a test fails while it is not current.
`

/** The Markdown of `tests/requirements/README.md`: for each area first the open points, then what was decided beyond them. */
export function decisionsDocument(areas: readonly DecisionArea[]): string {
  return [head, ...areas.map(areaText)].join('\n')
}

function areaText({ title, requirements, decisions }: DecisionArea): string {
  const open = requirements.flatMap(({ text, decided }) =>
    decided === null ? [] : `- ${text.replace(/: not shown$/, '')}: ${decided}`,
  )
  const beyond = Object.entries(decisions).map(([statement, rest]) => `- ${joined(`**${statement}**`, rest)}`)
  const parts = [`## ${title}`, open.join('\n'), beyond.join('\n')]
  return `${parts.filter((part) => part !== '').join('\n\n')}\n`
}

const joined = (statement: string, rest: string): string =>
  /^[,:]/.test(rest) ? statement + rest : `${statement} ${rest}`
