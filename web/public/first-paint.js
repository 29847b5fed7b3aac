// Shows the frame of a chat, or the form of a screen before it, while the application is on its way. Follows theme.js, which has chosen the language.
;(() => {
  const root = document.documentElement
  const locale = root.lang
  const read = (storage, key) => {
    try {
      return globalThis[storage].getItem(key)
    } catch {
      return null
    }
  }
  const { greetings, texts } = document.currentScript.dataset
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
    const [plain, named] = JSON.parse(greetings)[locale]
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
    const shown = JSON.parse(texts)[locale]
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
