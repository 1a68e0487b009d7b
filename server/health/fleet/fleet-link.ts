/** A request of another process of this installation. */
interface FleetRequest {
  readonly from: string
  readonly body: Uint8Array<ArrayBuffer>
}

/** The other processes of this installation, as far as health needs them. */
export interface FleetLink {
  /** The living ones but this. */
  others(): readonly { readonly id: string }[]
  /** Rejects when the process is gone or does not answer; it may have received the request then. */
  send(
    nodeId: string,
    request: {
      readonly path: string
      readonly body: string | Uint8Array<ArrayBuffer>
      readonly headMs: number
    },
  ): Promise<Response>
  /** Answers requests of other processes for a path. */
  handle(path: string, handler: (request: FleetRequest) => Response | Promise<Response>): void
}
