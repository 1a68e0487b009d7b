/**
 * `gone`: no living node has this id. `unreachable`: its address cannot be connected to. `refused`: whoever answers there
 * is not that node. In these cases the node has received nothing, but whoever can change what passes on the network can
 * forge a refusal: what must not be done twice is not sent again after one. `broken`: it may have received the request;
 * `aborted` likewise, by the caller's signal.
 */
export type NodeFailure = 'gone' | 'unreachable' | 'refused' | 'broken' | 'aborted'

export class NodeError extends Error {
  override readonly name = 'NodeError'
  readonly failure: NodeFailure

  constructor(failure: NodeFailure, cause?: unknown) {
    super(`a process of this installation was not reached: ${failure}`, { cause })
    this.failure = failure
  }
}
