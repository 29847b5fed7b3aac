// A classic script loaded before anything is painted, so that a page never flashes in the wrong theme, colours or language, and shows the frame of a chat
// while the application is on its way.
// The policy of the pages forbids inline scripts, hence a file of its own.
;(() => {
  let wanted = 'delgdark'
  let stored = null
  let textSize = null
  try {
    wanted = localStorage.getItem('theme') || wanted
    textSize = localStorage.getItem('text-size')
    stored = JSON.parse(localStorage.getItem('theme-colors'))
  } catch {
    // Storage may be forbidden or damaged; the default theme holds then.
  }
  if (wanted === 'system') wanted = matchMedia('(prefers-color-scheme: light)').matches ? 'delglight' : 'delgdark'
  if (wanted !== 'delglight') wanted = 'delgdark'
  document.documentElement.dataset.theme = wanted
  if (textSize) document.documentElement.dataset.textSize = textSize
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

  const root = document.documentElement
  const read = (storage, key) => {
    try {
      return globalThis[storage].getItem(key)
    } catch {
      return null
    }
  }
  // As src/shared/i18n/locale.ts chooses. The page of a shared link is told the languages alone.
  const { greetings, locales } = document.currentScript.dataset
  const texts = greetings ? JSON.parse(greetings) : {}
  const offered = locales ? locales.split(' ') : Object.keys(texts)
  const browser = navigator.languages.map((tag) => tag.toLowerCase().split('-')[0])
  const locale = [read('localStorage', 'app-locale'), ...browser].find((name) => offered.includes(name)) ?? 'en'
  root.lang = locale
  root.dir = locale === 'ar' ? 'rtl' : 'ltr'
  const isNew = location.pathname === '/'
  if (!texts[locale] || !(isNew || location.pathname.startsWith('/c/'))) return
  const isEmpty = isNew && read('sessionStorage', 'private:guest-thread') === null
  root.dataset.firstPaint = isEmpty ? 'greeting' : 'thread'
  root.dataset.firstSidebar = read('localStorage', 'sidebar') ?? ''
  let name = null
  try {
    const user = read('localStorage', 'token') && JSON.parse(read('localStorage', 'user'))
    name = user?.displayName ?? user?.username
  } catch {
    // Who is here will be known with the application.
  }
  const [plain, named] = texts[locale]
  const draw = (_, observer) => {
    const greeting = document.querySelector('.first-greeting')
    if (!greeting) return
    observer.disconnect()
    greeting.textContent = name ? named.replace('{name}', () => name) : plain
  }
  new MutationObserver(draw).observe(root, { childList: true, subtree: true })
})()
