/** What somebody may put into a row so that a page runs it, asks another server, or shows what is not there. */
export const payloads: readonly string[] = [
  '<script>globalThis.hacked = 1; alert(1)</script>',
  '<img src=x onerror="globalThis.hacked=1;alert(1)">',
  '<svg/onload=alert(1)>',
  '"><iframe src="https://evil.example/"></iframe>',
  '<link rel=stylesheet href=https://evil.example/x.css>',
  '[press](javascript:alert(1))',
  '[press](JaVaScRiPt:globalThis.hacked=1)',
  '[press](data:text/html,<script>alert(1)</script>)',
  '[press](vbscript:msgbox(1))',
  '![picture](https://evil.example/pixel.png)',
  'see {{ constructor.constructor("globalThis.hacked=1;alert(1)")() }}',
  '<a href="javascript:alert(1)">press</a>',
  '<style>@import "https://evil.example/x.css"</style>',
  '<math><mtext></form><form><mglyph><style></math><img src onerror=alert(1)>',
  'invoice \u202Efdp.exe\u202C and zero\u200Bwidth',
  '<base href="https://evil.example/">',
]

/** An offer that has a payload wherever it can have a text. */
export const hostileRow = (payload: string, place: number): Readonly<Record<string, string>> => ({
  slug: `hostile-${place}`,
  provider: `Hostile${place} ${payload}`,
  actionButtons: JSON.stringify([
    payload,
    `[${payload.replaceAll(/[[\]]/g, '')}](https://a.example/)`,
    '[go](javascript:alert(1))',
  ]),
  apiType: payload,
  technology: payload,
  planType: payload,
  accessPrice: payload,
  description: payload,
})
