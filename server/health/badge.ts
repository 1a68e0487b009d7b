import type { Decision } from '../../shared/health.ts'
import { escapeHtml } from '../platform/escape-html.ts'

const colours: Readonly<Record<Decision, string>> = {
  UP: '#1a7f37',
  LATENCY: '#9a6700',
  DOWN: '#cf222e',
  UNKNOWN: '#57606a',
}

/** A badge in the endpoint format of shields.io. */
export interface ShieldsBadge {
  schemaVersion: 1
  label: string
  message: string
  color: string
}

export const shieldsBadge = (label: string, decision: Decision): ShieldsBadge => ({
  schemaVersion: 1,
  label,
  message: decision.toLowerCase(),
  color: colours[decision],
})

/** Returns the width of a text in px: 6.6 px per character of Verdana 11 px. `textLength` corrects what is off. */
const widthOf = (text: string): number => Math.ceil(text.length * 6.6) + 10
const maxLabelLength = 40

const centredText = (x: number, width: number, content: string): string =>
  `<text x="${x + width / 2}" y="14" textLength="${width - 10}">${content}</text>`

/** Returns a badge as SVG, without scripts and external references, so that any page can embed it. */
export function svgBadge(serviceName: string, decision: Decision): string {
  const name =
    serviceName.length > maxLabelLength ? `${serviceName.slice(0, maxLabelLength - 1)}…` : serviceName
  const [label, message] = [escapeHtml(name), decision.toLowerCase()]
  const [left, right] = [widthOf(name), widthOf(message)]
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${left + right}" height="20" role="img" aria-label="${label}: ${message}">`,
    `<title>${label}: ${message}</title>`,
    `<rect width="${left + right}" height="20" rx="3" fill="#3b434b"/>`,
    `<path d="M${left} 0h${right - 3}a3 3 0 0 1 3 3v14a3 3 0 0 1-3 3H${left}z" fill="${colours[decision]}"/>`,
    `<g fill="#fff" text-anchor="middle" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">`,
    centredText(0, left, label),
    centredText(left, right, message),
    `</g></svg>`,
  ].join('')
}
