import { createEventHook } from '@vueuse/core'

/** Every text that a button copied. */
export const textCopies = createEventHook<string>()

/** The browser would not copy: it was not allowed to, or the tab was left meanwhile. */
export class CopyError extends Error {
  override readonly name: string = 'CopyError'
}

/**
 * Copies a text, which may still be on its way: Safari then needs the promise itself, because what comes after an
 * `await` no longer counts as the click.
 * @throws CopyError when the browser refuses, and whatever the promise rejects with.
 */
export async function copyText(text: string | Promise<string>): Promise<void> {
  await write(text)
  void textCopies.trigger(await text)
}

async function write(text: string | Promise<string>): Promise<void> {
  if (!window.isSecureContext || navigator.clipboard === undefined) return copyBySelection(await text)
  if (typeof text === 'string' || typeof ClipboardItem === 'undefined') {
    return navigator.clipboard.writeText(await text).catch(refuse)
  }
  const blob = text.then((plain) => new Blob([plain], { type: 'text/plain' }))
  const [written] = await Promise.allSettled([
    navigator.clipboard.write([new ClipboardItem({ 'text/plain': blob })]),
    blob,
  ])
  await text // its own failure says more than the clipboard's
  if (written.status === 'rejected') refuse(written.reason)
}

function refuse(cause: unknown): never {
  throw new CopyError('the browser did not copy', { cause })
}

/** Over plain http there is no clipboard; selecting and the old command still work. */
function copyBySelection(text: string): void {
  const focused = document.activeElement
  const field = document.createElement('textarea')
  field.value = text
  field.readOnly = true
  field.className = 'sr-only'
  // Inside an open dialog, whose focus trap would take the focus back.
  const place = focused?.closest('[role="dialog"]') ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (focused instanceof HTMLElement) focused.focus()
  if (!isCopied) throw new CopyError('the browser did not copy')
}
