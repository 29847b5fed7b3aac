import { useEffect, useState } from 'react'
import { useNavigate } from 'react-router-dom'
import { useText } from '../../shared/i18n/index.ts'
import { ConfirmDialog } from '../../shared/ui/index.ts'

/** Asks before a link or leaving the page discards unsaved changes. */
export function UnsavedGuard({ unsaved }: { unsaved: boolean }) {
  const { t } = useText()
  const navigate = useNavigate()
  const [wanted, setWanted] = useState<string | null>(null)
  useEffect(() => {
    if (!unsaved) return
    const onClick = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>('a[href]') : null
      const opensElsewhere = event.metaKey || event.ctrlKey || event.shiftKey || link?.target === '_blank'
      if (!link || opensElsewhere || link.origin !== window.location.origin) return
      const { pathname, search, hash } = link
      // A place on this page, such as the content for the keyboard.
      if (hash !== '' && pathname === window.location.pathname && search === window.location.search) return
      event.preventDefault()
      event.stopPropagation()
      setWanted(pathname + search + hash)
    }
    const onUnload = (event: BeforeUnloadEvent) => event.preventDefault()
    // In the capture phase, before the router's own links handle it.
    document.addEventListener('click', onClick, true)
    window.addEventListener('beforeunload', onUnload)
    return () => {
      document.removeEventListener('click', onClick, true)
      window.removeEventListener('beforeunload', onUnload)
    }
  }, [unsaved])
  return (
    <ConfirmDialog
      open={wanted !== null}
      onClose={() => setWanted(null)}
      title={t('profile.unsaved.title')}
      text={t('profile.unsaved.text')}
      confirmLabel={t('profile.unsaved.leave')}
      onConfirm={() => wanted !== null && navigate(wanted)}
    />
  )
}
