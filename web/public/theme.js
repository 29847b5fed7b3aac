// A classic script loaded before anything is painted, so that a page never flashes in the wrong theme or colours.
// The policy of the pages forbids inline scripts, hence a file of its own.
;(() => {
  let wanted = 'delgdark'
  let stored = null
  try {
    wanted = localStorage.getItem('theme') || wanted
    stored = JSON.parse(localStorage.getItem('theme-colors'))
  } catch {
    // Storage may be forbidden or damaged; the default theme holds then.
  }
  if (wanted === 'system') wanted = matchMedia('(prefers-color-scheme: light)').matches ? 'delglight' : 'delgdark'
  if (wanted !== 'delglight') wanted = 'delgdark'
  document.documentElement.dataset.theme = wanted
  // As src/shared/theme/theme.ts left them, which takes this sheet over.
  const blocks = ['delgdark', 'delglight'].map((theme) => {
    const properties = Object.entries(stored?.drawn?.[theme] ?? {})
    const safe = properties.filter(([name, value]) => /^--[a-z-]+$/.test(name) && /^#[0-9a-f]{6,8}$/.test(value))
    return `[data-theme="${theme}"][data-theme] {${safe.map(([name, value]) => `${name}:${value};`).join('')}}`
  })
  try {
    const sheet = new CSSStyleSheet()
    sheet.replaceSync(blocks.join('\n'))
    document.adoptedStyleSheets = [sheet]
  } catch {
    // An old browser shows the themes' own colours.
  }
})()
