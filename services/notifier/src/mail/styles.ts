/**
 * Styles of mails. Light colours are inline, since many mail clients drop style sheets; clients with a dark mode use the sheet. Only system fonts.
 */
export const styles = {
  page: "margin:0;padding:0;background:#f3f1ec;color:#1b2028;font:16px/1.55 system-ui,-apple-system,'Segoe UI',Roboto,sans-serif",
  frame: 'padding:32px 16px',
  column: 'max-width:520px;margin:0 auto;text-align:start',
  name: 'padding:0 4px 16px;font-size:18px;font-weight:700;letter-spacing:-0.01em;color:#0a6d60',
  card: 'padding:32px 28px 16px;background:#ffffff;border:1px solid #e3e0d8;border-radius:10px',
  paragraph: 'margin:0 0 16px',
  note: 'margin:0 0 16px;font-size:14px;color:#5a6069;overflow-wrap:anywhere',
  code: "margin:24px 0;padding:16px 0;background:#f3f1ec;border-radius:10px;font:600 32px/1.2 ui-monospace,'SF Mono',Menlo,Consolas,monospace;letter-spacing:0.25em;text-indent:0.25em;text-align:center",
  action: 'margin:24px 0;text-align:center',
  button:
    'display:inline-block;padding:12px 24px;background:#0a6d60;color:#ffffff;border-radius:10px;font-weight:600;text-decoration:none',
  link: 'color:#0a6d60;word-break:break-all',
  footer: 'padding:16px 4px 0;font-size:13px;color:#5a6069',
  sheet: `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
@media (max-width: 480px) { .card { padding: 24px 20px 8px !important; } }
@media (prefers-color-scheme: dark) {
  .page { background: #0d1015 !important; color: #e9edf3 !important; }
  .card { background: #13171e !important; border-color: #262d39 !important; }
  .code { background: #1a1f28 !important; }
  .name, .link { color: #35d0ba !important; }
  .button { background: #35d0ba !important; color: #03211d !important; }
  .quiet { color: #a2abb8 !important; }
}
`,
} as const
