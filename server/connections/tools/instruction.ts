/** What a text tries to have a model do, by a word for the owner of the connection. */
export type InstructionKind =
  | 'conceals' // something is to be kept from the user
  | 'overrides' // other instructions, or other tools, are to be left aside
  | 'poses_as_system' // marks that a model knows from its own prompts
  | 'takes_secrets' // files, keys or the conversation are to be read or passed on

export interface FoundInstruction {
  readonly kind: InstructionKind
  /** Where it begins in the text, and its length. */
  readonly at: number
  readonly length: number
}
