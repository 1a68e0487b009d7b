import type { Tone } from '../ui/tone.ts'
import type { ListedFinding } from './gateway-queries.ts'

/** What was found in the definition of a tool, in words. */
export const findingWords: Readonly<
  Record<ListedFinding['kind'], { readonly title: string; readonly tone: Tone }>
> = {
  hidden_characters: { title: 'hidden characters', tone: 'bad' },
  instructions: { title: 'speaks to the model', tone: 'bad' },
  deceptive_link: { title: 'deceptive link', tone: 'bad' },
  shadows_gateway: { title: 'named like a tool of this gateway', tone: 'bad' },
  names_other_tool: { title: 'names a tool of another server', tone: 'warn' },
  long_text: { title: 'very long text', tone: 'warn' },
  link: { title: 'link', tone: 'plain' },
  same_name: { title: 'name used by another server too', tone: 'plain' },
}

const details: Readonly<Partial<Record<string, string>>> = {
  conceals: 'it wants something kept from you',
  overrides: 'it wants other instructions or tools set aside',
  poses_as_system: 'it is marked like a prompt of the system',
  takes_secrets: 'it asks for files, keys or the conversation',
}

/** What a finding is about; empty where its title says it all. */
export const findingDetail = ({ detail }: Pick<ListedFinding, 'detail'>): string =>
  details[detail ?? ''] ?? ''

/** The kinds of some findings, each once and the gravest first. */
export const findingKinds = (findings: readonly Pick<ListedFinding, 'kind'>[]): ListedFinding['kind'][] => {
  const found = new Set<string>(findings.map(({ kind }) => kind))
  return kinds.filter((kind) => found.has(kind) && findingWords[kind].tone !== 'plain')
}

const kinds: readonly ListedFinding['kind'][] = [
  'instructions',
  'hidden_characters',
  'deceptive_link',
  'shadows_gateway',
  'names_other_tool',
  'long_text',
]
