import type { Provider } from '../../shared/accounts.ts'

/** Something that somebody has proven to be. */
export interface ProvenIdentity {
  readonly kind: 'wallet' | Provider
  /** See `IdentityView`. */
  readonly subject: string
  /** The provider's name for the user; null for wallets. */
  readonly label: string | null
  /** What the provider says they belong to, such as `github-org:kestrel-ops`; only of what the allow-list asks for. */
  readonly groups?: readonly string[]
}

/** A contract is an account of one chain only: the same address on another chain may belong to somebody else. */
export const contractSubject = (chainId: number, address: string): string =>
  `eip155:${chainId}:${address.toLowerCase()}` // CAIP-10

/** The same `sub` of another issuer is somebody else. An issuer has no `#`, so the first one divides the two. */
export const oidcSubject = (issuer: string, sub: string): string => `${issuer}#${sub}`

/** One text for kind and subject, for instance `github:583231`. */
export const identityKey = ({ kind, subject }: Pick<ProvenIdentity, 'kind' | 'subject'>): string =>
  `${kind}:${subject}`

/** How an account is called among others: by the name that it shares, or by its first identity. */
export function nameOfAccount({ id, contact, identities }: NamedParts): string {
  const [first] = identities
  return (
    contact?.name ?? first?.label ?? (first === undefined ? id : identityLabel(first).replace(/^wallet /, ''))
  )
}

interface NamedParts {
  readonly id: string
  readonly contact: { readonly name: string | null } | null
  readonly identities: readonly ProvenIdentity[]
}

/** How the audit log names somebody: `wallet 0x12ab…90ef`, `github 583231`. Without what people call themselves. */
export function identityLabel({ kind, subject }: Pick<ProvenIdentity, 'kind' | 'subject'>): string {
  return `${kind} ${subject.replace(/(0x[0-9a-f]{4})[0-9a-f]{32}([0-9a-f]{4})$/, '$1…$2')}`
}
