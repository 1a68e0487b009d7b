/** What makes two calls the same one. */
export interface Question {
  readonly method: string
  /** JSON text. */
  readonly params: string
}
