/** How a service's health is shown and asked elsewhere. `origin`: where this installation is reached. */
export function snippetsOf(origin: string, serviceId: string, name: string) {
  const badge = `${origin}/badge/${encodeURIComponent(serviceId)}.svg`
  const health = `${origin}/health/${encodeURIComponent(serviceId)}`
  return {
    badge,
    markdown: `[![${escapeMarkdown(name)}](${badge})](${health})`,
    html: `<a href="${health}"><img src="${badge}" alt="${escapeHtml(name)}" height="20"></a>`,
    curl: `curl ${health}`,
  }
}

const escapeMarkdown = (text: string): string => text.replaceAll(/[\\[\]]/g, (character) => `\\${character}`)

const entities: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }
const escapeHtml = (text: string): string =>
  text.replaceAll(/[&<>"]/g, (character) => entities[character] ?? character)
