/** A message to one address, of another domain. */
export interface AddressedMessage {
  /** What receivers see as its id, of at most 64 characters. A second message under the same id is none. */
  readonly id: string
  /** Messages with the same word are sent in the order of their writing, one after the other; such as `sub_1`. */
  readonly orderBy: string
  readonly to: MessageAddress
  readonly content: AddressedContent
}

/** A mailbox, reached over a channel of type `email`, or a webhook that is signed with this secret (`whsec_…`). */
export type MessageAddress =
  | { readonly kind: 'email'; readonly channel: string; readonly address: string }
  | { readonly kind: 'webhook'; readonly url: string; readonly secret: string }

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
