/** Hosts that are not the installation's own, under which a part of it is shown: the own domain of a status page. */
export interface GuestHosts {
  /** The name of what is answered in metrics. */
  readonly template: string
  /** Null: the host is nobody's, or does not answer to this method, and the request is refused. */
  answer(request: Request): Response | Promise<Response> | null
}
