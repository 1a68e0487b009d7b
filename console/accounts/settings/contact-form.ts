import type { ContactDetails as Contact } from '../../../shared/accounts.ts'
import { hasHidden } from '../../ui/hidden-characters.ts'

/** What stands in the fields; empty is nothing. */
export interface ContactDraft {
  name: string
  email: string
}

export type ContactCheck =
  | { readonly kind: 'good'; readonly contact: Contact }
  /** What is wrong with each field; an empty text where nothing is. */
  | { readonly kind: 'bad'; readonly name: string; readonly email: string }

export const contactDraftOf = (contact: Contact | null): ContactDraft => ({
  name: contact?.name ?? '',
  email: contact?.email ?? '',
})

export const isSameContact = (one: ContactDraft, other: ContactDraft): boolean =>
  one.name === other.name && one.email === other.email

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

const most = { name: 100, email: 254 } as const
/** What the server looks at in detail. */
const emailForm = /^[^\s@"(),:;<>[\]\\]+@(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)+[a-z]{2,}$/i

/** Read by hand: a page without other forms does without schemas. */
export function checkContact(draft: ContactDraft): ContactCheck {
  const [name, email] = [textOrNull(draft.name), textOrNull(draft.email)]
  if (name === null && email === null)
    return { kind: 'bad', name: 'A name, an e-mail address, or both', email: '' }
  const nameProblem = problemOfName(name ?? '')
  const isEmail = email === null || (email.length <= most.email && emailForm.test(email))
  if (nameProblem === '' && isEmail) return { kind: 'good', contact: { name, email } }
  return {
    kind: 'bad',
    name: nameProblem,
    email: isEmail ? '' : 'An address such as ada@example.org, of at most 254 characters',
  }
}

function problemOfName(name: string): string {
  if (name.length > most.name) return `At most ${most.name} characters`
  return hasHidden(name) ? 'No characters that cannot be seen' : ''
}
