import { whenOver } from '../platform/http/when-over.ts'

/**
 * Answers with a stream that ends when any of the signals aborts; `onOver` is called once it has ended, whoever ended
 * it, and may be called more than once. Not `AbortSignal.any`: a signal that lives as long as
 * the server would keep every one that was made of it, with all that hangs on it.
 */
export async function answerUntil(
  ends: readonly AbortSignal[],
  answer: (signal: AbortSignal) => Promise<Response>,
  onOver: () => void = () => {},
): Promise<Response> {
  const controller = new AbortController()
  const release = (): void => {
    for (const signal of ends) signal.removeEventListener('abort', end)
    onOver()
  }
  const end = (): void => {
    controller.abort()
    release() // whoever has gone away may never read how it ends
  }
  for (const signal of ends) signal.addEventListener('abort', end, { once: true })
  if (ends.some(({ aborted }) => aborted)) end()
  try {
    const response = await answer(controller.signal)
    if (response.body === null) release()
    return response.body === null ? response : new Response(whenOver(response.body, release), response)
  } catch (error) {
    release()
    throw error
  }
}
