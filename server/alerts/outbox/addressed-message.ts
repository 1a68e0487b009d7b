/** A message to one address, of another domain. */
export interface AddressedMessage {
  /** What receivers see as its id, of at most 64 characters. A second message under the same id is none. */
  readonly id: string
  /** Messages with the same word are sent in the order of their writing, one after the other; such as `sub_1`. */
  readonly orderBy: string
  readonly to: MessageAddress
  readonly content: AddressedContent
  /** How long (ms) attempts go on; a day unless given. */
  readonly forMs?: number
}

/**
 * A mailbox, reached over a channel of type `email`, or a webhook that is signed with this secret (`whsec_…`). `isStranger`:
 * somebody without an account chose the address, so only https to public addresses is sent to, whatever private ones this
 * installation may reach.
 */
export type MessageAddress =
  | { readonly kind: 'email'; readonly channel: string; readonly address: string }
  | { readonly kind: 'webhook'; readonly url: string; readonly secret: string; readonly isStranger?: true }

export interface AddressedContent {
  /** The subject of a mail, and what the list of deliveries shows. */
  readonly title: string
  /** The text of a mail, or the body (JSON) of a webhook. */
  readonly body: string
  /** Of a mail: the same as HTML. */
  readonly html?: string
  /** Of a mail: what a reader's button to unsubscribe opens (https). */
  readonly unsubscribe?: string
}

/** What is sealed with a delivery of another domain: the address is somebody's, and the text may have links that open something. */
export type SealedMessage = Pick<AddressedMessage, 'to' | 'content'>
