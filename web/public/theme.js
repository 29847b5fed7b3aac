// A classic script loaded before anything is painted, so that a page never flashes in the wrong theme, colours or language.
// The policy of the pages forbids inline scripts, hence a file of its own.
;(() => {
  const root = document.documentElement
  /** Null where storage is forbidden, too. */
  const stored = (key) => {
    try {
      return localStorage.getItem(key)
    } catch {
      return null
    }
  }
  let wanted = stored('theme')
  let colors = null
  try {
    colors = JSON.parse(stored('theme-colors'))
  } catch {
    // Storage may be damaged; the colours of the theme hold then.
  }
  if (wanted === 'system') wanted = matchMedia('(prefers-color-scheme: light)').matches ? 'delglight' : 'delgdark'
  if (wanted !== 'delglight') wanted = 'delgdark'
  root.dataset.theme = wanted
  const textSize = stored('text-size')
  if (textSize) root.dataset.textSize = textSize
  // As src/shared/theme/theme.ts left them, which takes this sheet over.
  const blocks = ['delgdark', 'delglight'].map((theme) => {
    const properties = Object.entries(colors?.drawn?.[theme] ?? {})
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

  // As src/shared/i18n/locale.ts chooses.
  const offered = document.currentScript.dataset.locales.split(' ')
  const browser = navigator.languages.map((tag) => tag.toLowerCase().split('-')[0])
  const locale = [stored('app-locale'), ...browser].find((name) => offered.includes(name)) ?? 'en'
  root.lang = locale
  root.dir = locale === 'ar' ? 'rtl' : 'ltr'
  // The first use of Intl reads its data, 15 ms of work on a desktop: while the application is on its way, after the first paint.
  requestAnimationFrame(() => setTimeout(() => new Intl.NumberFormat(locale)))
})()
