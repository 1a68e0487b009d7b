import type {
  ConnectionUseChange,
  ConsentOutcome,
  ConsentProblem,
  OAuthAccessView,
} from '../../shared/connections.ts'
import type { Tone } from '../ui/tone.ts'
import type { ListedConnection } from './gateway-queries.ts'

/** What was last seen of a tool server, in words. */
export const statusWords: Readonly<
  Record<ListedConnection['status'], { readonly title: string; readonly tone: Tone; readonly hint: string }>
> = {
  new: { title: 'Not tried yet', tone: 'plain', hint: 'It has not been used yet.' },
  connected: { title: 'Works', tone: 'ok', hint: 'The tool server took the credentials.' },
  auth_required: { title: 'Refused', tone: 'bad', hint: 'The tool server did not take the credentials.' },
  consent_needed: {
    title: 'Not connected',
    tone: 'warn',
    hint: 'You have to agree at the tool server’s own page, or to agree again.',
  },
  unreachable: { title: 'Not reached', tone: 'warn', hint: 'The tool server could not be reached.' },
  origin_changed: {
    title: 'Address changed',
    tone: 'bad',
    hint: 'The registry names another address than the one the secret was saved for: it is not sent there.',
  },
  service_gone: { title: 'Not listed', tone: 'warn', hint: 'The registry does not list it any more.' },
}

export const connectionName = ({ label, name }: Pick<ListedConnection, 'label' | 'name'>): string =>
  label ?? name

const kilobyte = 1_024
const sizes = [64 * kilobyte, 256 * kilobyte, kilobyte ** 2, 2 * kilobyte ** 2, 4 * kilobyte ** 2]

const sizeText = (bytes: number): string =>
  bytes >= kilobyte ** 2
    ? `${Math.round((bytes / kilobyte ** 2) * 10) / 10} MB`
    : `${Math.round((bytes / kilobyte) * 10) / 10} KB`

/** Sizes to choose from; one that was set otherwise stays among them. */
export const resultSizes = (present: number): { readonly value: string; readonly label: string }[] =>
  [...new Set([...sizes, present])]
    .toSorted((one, other) => one - other)
    .map((bytes) => ({ value: String(bytes), label: sizeText(bytes) }))

/** A form of settings as it is sent. */
export const useChangeOf = (
  id: string,
  {
    onChange,
    resultBytes,
    showsSecrets,
  }: { readonly onChange: string; readonly resultBytes: string; readonly showsSecrets: boolean },
): ConnectionUseChange => ({
  id,
  onChange: onChange === 'block' ? 'block' : 'warn',
  resultBytes: Number(resultBytes),
  showsSecrets,
})

/** What the button says that sends the owner of a connection by OAuth to consent. */
export const connectTitle = ({ consentedAt }: Pick<OAuthAccessView, 'consentedAt'>): string =>
  consentedAt === null ? 'Connect' : 'Connect again'

/** Whether its owner is to be asked for consent: for the first time, again, or to more. */
export const wantsConsent = ({ status, oauth }: Pick<ListedConnection, 'status' | 'oauth'>): boolean =>
  oauth !== null && (status === 'consent_needed' || oauth.lackedScopes.length > 0)

/** How the way to consent ended. */
export const consentOutcomeWords: Readonly<
  Record<ConsentOutcome, { readonly title: string; readonly tone: Tone; readonly text: string }>
> = {
  connected: { title: 'Connected', tone: 'ok', text: 'You can close this page, or try its tools.' },
  declined: {
    title: 'It was not agreed to',
    tone: 'warn',
    text: 'The tool server’s page sent you back without access. Nothing was kept.',
  },
  expired: {
    title: 'This answer came too late, or to another browser',
    tone: 'warn',
    text: 'An answer counts once, within ten minutes, and in the browser where you began. Begin anew.',
  },
  failed: {
    title: 'The answer was not taken',
    tone: 'bad',
    text: 'It came from somebody else than was asked, or the access could not be fetched. Try again.',
  },
}

/** Why nobody can be sent to consent. */
export const problemWords: Readonly<Record<ConsentProblem, string>> = {
  server_unreachable: 'The tool server cannot be reached',
  metadata_missing: 'It does not say where its accounts are',
  other_resource: 'It asks for access to somebody else’s address',
  no_pkce: 'Its sign-in is not protected as it has to be',
  insecure_address: 'Its sign-in is not by https',
  not_registered: 'This installation is not known there',
}

/** By whom, and to what, the access of a connection by OAuth was given. */
export function accessText({ issuerHost, scopes, lackedScopes }: OAuthAccessView): string {
  if (issuerHost === null) return 'By OAuth'
  const granted = scopes.length === 0 ? '' : `: ${scopes.join(', ')}`
  const lacked = lackedScopes.length === 0 ? '' : ` – a call also wanted ${lackedScopes.join(', ')}`
  return `By OAuth at ${issuerHost}${granted}${lacked}`
}
