/** A query key as statistics show it. */
export interface KeyLabel {
  readonly id: string
  readonly name: string
  readonly hint: string
  readonly endpoint: string
}
