import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'

/** A red pixel. */
export const png =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
/** No sound at all. */
export const wav = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

export const textContent = (value: string) => ({ content: [{ type: 'text' as const, text: value }] })

export const image = { type: 'image' as const, data: png, mimeType: 'image/png' }

/** Fields of a form. */
export type FormFields = ElicitRequestFormParams['requestedSchema']['properties']

export const asksFor = (message: string, properties: FormFields) => ({
  method: 'elicitation/create' as const,
  params: {
    mode: 'form' as const,
    message,
    requestedSchema: { type: 'object' as const, properties, required: Object.keys(properties) },
  },
})
