import { ContactDetails } from '../../../shared/accounts.ts'
import type { ContactDetails as Contact } from '../../../shared/accounts.ts'

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

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

export function checkContact(draft: ContactDraft): ContactCheck {
  const checked = ContactDetails.safeParse({ name: textOrNull(draft.name), email: textOrNull(draft.email) })
  if (checked.success) return { kind: 'good', contact: checked.data }
  const fields = new Set(checked.error.issues.map(({ path }) => path[0]))
  if (fields.has('name') || fields.has('email')) {
    return {
      kind: 'bad',
      name: fields.has('name') ? 'At most 100 characters' : '',
      email: fields.has('email') ? 'An address such as ada@example.org, of at most 254 characters' : '',
    }
  }
  return { kind: 'bad', name: 'A name, an e-mail address, or both', email: '' }
}
