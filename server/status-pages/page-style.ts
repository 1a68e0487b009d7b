import { createHash } from 'node:crypto'

/** The style of public pages, in both themes: it is part of the page, so that nothing else has to be loaded. */
export const pageStyle = `:root{color-scheme:light dark;--canvas:light-dark(#f8f9fa,#0e1114);--surface:light-dark(#fff,#14171b);--raised:light-dark(#f3f5f7,#1c2025);--line:light-dark(#e4e8ec,#272d34);--strong:light-dark(#d0d6dc,#3a424b);--edge:light-dark(#808995,#76808c);--ink:light-dark(#16191d,#e8eaed);--muted:light-dark(#545c67,#a6aeb9);--accent:light-dark(#0f6f68,#2dd4bf);--on-accent:light-dark(#fff,#042f2e);--ok:light-dark(#15612f,#4ade80);--okf:light-dark(#2c8a52,#2f9e5b);--oks:light-dark(#e5f4ea,#12291b);--warn:light-dark(#7c4a08,#fbbf24);--warns:light-dark(#fdf1d3,#2e2410);--warnf:light-dark(#b26a00,#d99b1c);--bad:light-dark(#b01c1c,#f98080);--bads:light-dark(#fdeaea,#34191a);--badf:light-dark(#c42b2b,#f26b6b);--info:light-dark(#1d4ed8,#8ab4ff);--infos:light-dark(#e9effd,#17233a)}
*{box-sizing:border-box;margin:0;padding:0}
body{background:var(--canvas);color:var(--ink);font:400 15px/24px 'Inter Variable',Inter,ui-sans-serif,system-ui,sans-serif;font-variant-numeric:tabular-nums;-webkit-font-smoothing:antialiased}
main,.top,footer{max-width:760px;margin:0 auto;padding:0 24px}
ul{list-style:none}a{color:var(--accent);text-underline-offset:3px;text-decoration-thickness:1px}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px;border-radius:4px}
svg{fill:none;stroke:currentColor;stroke-width:1.6;stroke-linecap:round;stroke-linejoin:round}.defs{position:absolute}
.top{display:flex;align-items:center;gap:12px;padding-top:32px;padding-bottom:24px}.top>svg,.top>img{width:32px;height:32px;flex:none;object-fit:contain}.top h1{font-size:18px;line-height:24px;letter-spacing:-.01em;min-width:0;overflow-wrap:anywhere}
.mark rect{fill:var(--accent);stroke:none}.mark path{stroke:var(--on-accent);stroke-width:2.4}
.sub{margin-left:auto;position:relative;flex:none}summary{cursor:pointer;list-style:none}summary::-webkit-details-marker{display:none}
.sub>summary,button{font-family:inherit;font-size:14px;line-height:20px;font-weight:500;border:0;border-radius:6px;padding:7px 14px;background:var(--accent);color:var(--on-accent);cursor:pointer}
.pop label{display:block;font-weight:500;margin-bottom:4px}.pop .in{display:flex;gap:8px;margin-bottom:8px}.pop input{flex:1;min-width:0;font:inherit;padding:6px 10px;border:1px solid var(--edge);border-radius:6px;background:var(--surface);color:var(--ink)}
.small{max-width:520px;padding-top:64px;padding-bottom:64px;display:grid;gap:16px;justify-items:start}.small h1{font-size:22px;line-height:28px;letter-spacing:-.01em}.secret{font:14px/20px ui-monospace,monospace;overflow-wrap:anywhere;padding:12px 16px;background:var(--raised);border-radius:6px}
.pop{position:absolute;right:0;top:44px;width:320px;background:var(--surface);border:1px solid var(--line);border-radius:8px;box-shadow:0 12px 32px -8px rgb(0 0 0/25%);padding:16px;z-index:2;display:grid;grid-template-columns:minmax(0,1fr);gap:8px;font-size:14px;line-height:20px}
.now{display:flex;gap:12px;align-items:center;border-radius:8px;padding:16px 20px;font-weight:600;font-size:17px}.now svg{width:24px;height:24px;flex:none}.now small{font-size:14px;font-weight:400;color:var(--muted);margin-left:auto;white-space:nowrap}
.now.down{background:var(--bads)}.now.lat{background:var(--warns)}.now.up{background:var(--oks)}.now.mnt{background:var(--infos)}.now.unk{background:var(--raised)}.now>span{color:var(--ink)}
.note{margin-bottom:16px;padding:8px 20px;border:1px dashed var(--edge);border-radius:8px;font-size:14px}
h2{font-size:16px;line-height:24px;margin:32px 0 8px;letter-spacing:-.005em;display:flex;align-items:baseline;gap:8px;overflow-wrap:anywhere}h2 span{font-weight:400;font-size:13px;color:var(--muted);margin-left:auto;white-space:nowrap}
.card{background:var(--surface);border:1px solid var(--line);border-radius:8px}
.card>li{padding:14px 20px 10px}.card>li+li{border-top:1px solid var(--line)}
.r1{display:flex;gap:12px;align-items:center}.r1 b{font-weight:500;flex:1;min-width:0;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.ms{color:var(--muted);font-size:13px;white-space:nowrap}
.st{display:inline-flex;align-items:center;gap:6px;font-weight:500;font-size:14px;white-space:nowrap}.st svg{width:16px;height:16px}.up{color:var(--ok)}.lat{color:var(--warn)}.down{color:var(--bad)}.mnt{color:var(--info)}.unk{color:var(--muted)}
.bar{display:block;width:100%;height:34px;margin-top:4px;stroke:none}.bar path,.key path{stroke-width:22;stroke-dasharray:3 1;stroke-linecap:butt}
.u{stroke:var(--okf)}.bar .d,.key .d{stroke:var(--badf);stroke-width:34}.key .d{stroke-width:26}.bar .n,.key .n{stroke:var(--strong);stroke-width:3}.l{stroke:url(#hl)}.k{stroke:url(#hu)}.m{stroke:url(#hm)}
.f1{fill:var(--warnf);opacity:.35}.f2{fill:var(--warnf)}.f3{fill:var(--raised)}.f4{fill:var(--edge)}.f5{fill:var(--infos)}.f6{fill:var(--info)}.defs rect{stroke:none}
.r2{display:grid;grid-template-columns:1fr auto 1fr;font-size:12px;line-height:16px;color:var(--muted);margin-top:2px}.r2 :last-child{text-align:right}
.inc{padding:16px 20px}.inc+.inc{border-top:1px solid var(--line)}.inc h3{font-size:15px;font-weight:600;display:flex;gap:12px;align-items:center;flex-wrap:wrap;overflow-wrap:anywhere}.inc h3 .st{margin-left:auto}
.upd{display:grid;grid-template-columns:64px minmax(0,1fr);gap:2px 12px;margin-top:8px;font-size:14px;line-height:20px;overflow-wrap:anywhere}.upd time{color:var(--muted)}.upd b,.day b{font-weight:600}
.aff{font-size:13px;color:var(--muted);overflow-wrap:anywhere}
.key{display:flex;flex-wrap:wrap;gap:4px 16px;font-size:12px;line-height:16px;color:var(--muted);margin-top:12px}.key span{display:inline-flex;gap:6px;align-items:center}.key svg{width:11px;height:17px;stroke:none}
.day{font-size:14px;color:var(--muted);padding:12px 0;border-top:1px solid var(--line);display:grid;grid-template-columns:120px minmax(0,1fr);gap:4px 12px;overflow-wrap:anywhere}.day b{color:var(--ink);font-weight:500}
footer{padding-top:24px;padding-bottom:40px;font-size:13px;line-height:20px;color:var(--muted);display:flex;flex-wrap:wrap;gap:4px 16px;border-top:1px solid var(--line);margin-top:32px}footer span{margin-right:auto}
@media(max-width:640px){main,.top,footer{padding-left:16px;padding-right:16px}.card>li,.inc{padding-left:16px;padding-right:16px}.now{display:grid;grid-template-columns:24px minmax(0,1fr);gap:2px 12px}.now small{grid-column:2;margin:0}.day{grid-template-columns:minmax(0,1fr)}.ms{display:none}.r2{grid-template-columns:1fr auto;gap:12px}.r2 :last-child{display:none}.pop{width:calc(100vw - 32px);max-width:320px}.inc h3 .st{margin-left:0;width:100%}}
@media print{body{background:#fff}.sub{display:none}.bar,.key{print-color-adjust:exact}}
@media(forced-colors:active){.bar,.key{forced-color-adjust:none}}`

const styleHash = createHash('sha256').update(pageStyle).digest('base64')

/** Nothing from elsewhere, no script, and no other style than the one above. */
export const pagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${styleHash}'`,
  'img-src data:',
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join('; ')
