// A classic script loaded before anything is painted, so that a page never flashes in the wrong theme, colours or language, and shows the frame of a chat
// or the form of a screen before it while the application is on its way.
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
  const { greetings, texts: formTexts, locales } = document.currentScript.dataset
  const texts = greetings ? JSON.parse(greetings) : {}
  const offered = locales ? locales.split(' ') : Object.keys(texts)
  const browser = navigator.languages.map((tag) => tag.toLowerCase().split('-')[0])
  const locale = [read('localStorage', 'app-locale'), ...browser].find((name) => offered.includes(name)) ?? 'en'
  root.lang = locale
  root.dir = locale === 'ar' ? 'rtl' : 'ltr'
  // The first use of Intl reads its data, 15 ms of work on a desktop: while the application is on its way, after the first paint.
  requestAnimationFrame(() => setTimeout(() => new Intl.NumberFormat(locale)))
  if (!texts[locale]) return
  /** Draws at the places that have come and are still empty, until all of the page is there. */
  const drawWith = (draw) => {
    const observer = new MutationObserver(() => {
      draw()
      if (document.getElementById('root')) observer.disconnect()
    })
    observer.observe(root, { childList: true, subtree: true })
  }
  const isNew = location.pathname === '/'
  const hasGuestThread = read('sessionStorage', 'private:guest-thread') !== null
  const hasDraft = Boolean(read('localStorage', 'private:draft:new'))
  if (isNew || location.pathname.startsWith('/c/')) drawChat()
  else if (!read('localStorage', 'token')) drawForm()

  function drawChat() {
    root.dataset.firstPaint = isNew && !hasGuestThread ? 'greeting' : 'thread'
    root.dataset.firstSidebar = read('localStorage', 'sidebar') ?? ''
    let name = null
    try {
      const user = read('localStorage', 'token') && JSON.parse(read('localStorage', 'user'))
      name = user?.displayName ?? user?.username
    } catch {
      // Who is here will be known with the application.
    }
    const [plain, named] = texts[locale]
    drawWith(() => {
      const greeting = document.querySelector('.first-greeting:empty')
      if (greeting) greeting.textContent = name ? named.replace('{name}', () => name) : plain
    })
  }

  function drawForm() {
    const query = new URLSearchParams(location.search)
    const email = query.get('email')?.trim() ?? ''
    const form = formOf(query, email)
    if (!form) return
    root.dataset.firstPaint = 'form'
    const shown = JSON.parse(formTexts)[locale]
    const write = (place) => {
      const { text, textChat, textDraft } = place.dataset
      const parts = shown[(hasGuestThread && textChat) || (hasDraft && textDraft) || text].split(/<\/?(\w+)>/)
      // Between two names of one tag stands what is marked by it.
      const nodes = parts.map((part, nth) => {
        const words = part.replace('{email}', () => email)
        if (nth % 4 !== 2) return nth % 2 === 0 ? words : ''
        const marked = document.createElement('span')
        marked.className = parts[nth - 1] === 'b' ? 'font-medium break-all text-ink' : 'font-medium text-brand'
        marked.textContent = words
        return marked
      })
      place.replaceChildren(...nodes)
    }
    drawWith(() => {
      const card = document.querySelector(`[data-form="${form}"]`)
      if (!card) return
      card.hidden = false
      for (const place of card.querySelectorAll('[data-text]:empty')) write(place)
    })
  }

  /** The form that a screen begins with, by its name in vite/first-forms.ts; none where the screen begins with something else. */
  function formOf(query, email) {
    if (location.pathname === '/password-reset') {
      if (!query.has('token') && !query.has('email')) return 'reset'
      return query.get('token')?.trim() && email ? 'new-password' : null
    }
    const form = { '/login': 'login', '/register': 'register' }[location.pathname]
    return form && read('sessionStorage', 'private:verification') !== null ? 'verify' : form
  }
})()
