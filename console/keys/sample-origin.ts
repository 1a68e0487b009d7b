import { parseDomainRule } from '../../shared/allowed-domains.ts'

/** A page that an entry of Allowed Domains lets in. */
export function sampleOrigin(entry: string): string | null {
  const reading = parseDomainRule(entry)
  if (reading.kind === 'refused') return null
  const { scheme, host, isDeep, port } = reading.rule
  const sampled = (host ?? 'www.example.com').replaceAll('*', 'x')
  return `${scheme ?? 'https'}://${isDeep ? 'www.' : ''}${sampled}${port === null ? '' : `:${port}`}`
}
