/** How verifiers sign in at an endpoint, where a header by hand is not what somebody wants to write. */
export interface SignInForm {
  kind: 'none' | 'basic' | 'bearer'
  user: string
  password: string
  token: string
}

export const emptySignInForm = (): SignInForm => ({ kind: 'none', user: '', password: '', token: '' })

export const signInKinds: readonly { readonly value: SignInForm['kind']; readonly label: string }[] = [
  { value: 'none', label: 'None, or by headers' },
  { value: 'basic', label: 'User and password' },
  { value: 'bearer', label: 'Bearer token' },
]

/** Returns the header by which the form signs in (RFC 7617 with UTF-8, RFC 6750); none where it does not. */
export function signInHeaders({ kind, user, password, token }: SignInForm): Record<string, string> {
  if (kind === 'bearer') return { authorization: `Bearer ${token.trim()}` }
  if (kind === 'none') return {}
  const bytes = new TextEncoder().encode(`${user}:${password}`)
  return { authorization: `Basic ${btoa(String.fromCodePoint(...bytes))}` }
}

/** Returns what is missing; `hasOther` says that the headers below name `authorization` too. */
export function signInErrors({ kind, user, token }: SignInForm, hasOther: boolean): Record<string, string> {
  return {
    ...(kind === 'basic' && user === '' && { 'signIn.user': 'Required.' }),
    ...(kind === 'basic' && user.includes(':') && { 'signIn.user': 'A user name has no colon.' }),
    ...(kind === 'bearer' && token.trim() === '' && { 'signIn.token': 'Required.' }),
    ...(kind !== 'none' && hasOther && { headers: 'authorization is given above already.' }),
  }
}
