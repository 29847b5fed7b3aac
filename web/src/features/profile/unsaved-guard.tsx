import { useContext, useEffect, useState } from 'react'
import { UNSAFE_NavigationContext as NavigationContext } from 'react-router-dom'
import { useText } from '../../shared/i18n/index.ts'
import { ConfirmDialog } from '../../shared/ui/index.ts'

/** Asks before a link, a choice in a menu or leaving the page discards unsaved changes. */
export function UnsavedGuard({ unsaved }: { unsaved: boolean }) {
  const { t } = useText()
  const { navigator } = useContext(NavigationContext)
  const [leave, setLeave] = useState<(() => void) | null>(null)
  useEffect(() => {
    if (!unsaved) return
    const { push } = navigator
    const ask = (...to: Parameters<typeof push>) => setLeave(() => () => push(...to))
    // Only routers with data can block a navigation. What replaces an entry, as signing out does, is not to be asked about.
    navigator.push = ask
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
      const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || link?.target === '_blank'
      if (!link || opensElsewhere || link.origin !== window.location.origin) return
      const { pathname, search, hash } = link
      // It stays on this page, as does the way to its content for the keyboard.
      if (pathname === window.location.pathname && search === window.location.search) return
      event.preventDefault()
      event.stopPropagation()
      ask(pathname + search + hash)
    }
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    // In the capture phase, before the router's own links handle it.
    document.addEventListener('click', onClick, true)
    window.addEventListener('beforeunload', onUnload)
    return () => {
      navigator.push = push
      document.removeEventListener('click', onClick, true)
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [unsaved, navigator])
  return (
    <ConfirmDialog
      open={leave !== null}
      onClose={() => setLeave(null)}
      title={t('profile.unsaved.title')}
      text={t('profile.unsaved.text')}
      confirmLabel={t('profile.unsaved.leave')}
      onConfirm={() => {
        setLeave(null)
        leave?.()
      }}
    />
  )
}
