import { type CSSProperties, useEffect } from 'react'
import { Toaster as SonnerToaster, toast } from 'sonner'
import { useText } from '../i18n/index.ts'
import { type Session, useSession } from '../session/session.ts'
import { resolveTheme, useTheme } from '../theme/theme.ts'

export { toast }

/** The library's ids of toasts about the page. */
export const ofPage = new Set<string | number>()

/**
 * Removes the toasts of a user who leaves, here or in another tab: they may quote the user's texts, and their buttons act on the user's data. Their time
 * stands still while the page is hidden.
 */
function dismissFormer({ user }: Session, { user: before }: Session): void {
  if (before === null || before._id === user?._id) return
  for (const { id } of toast.getToasts()) if (!ofPage.has(id)) toast.dismiss(id)
}

/** The toasts. */
export function ToastList() {
  const { t } = useText()
  const theme = useTheme((state) => state.name)
  useEffect(() => useSession.subscribe(dismissFormer), [])
  const drawn = resolveTheme(theme, matchMedia('(prefers-color-scheme: light)').matches)
  return (
    <SonnerToaster
      theme={drawn === 'delglight' ? 'light' : 'dark'}
      // Next to the thread; above it only if there is no room.
      position={document.documentElement.dir === 'rtl' ? 'top-left' : 'top-right'}
      expand
      visibleToasts={4}
      style={{ '--width': '20rem' } as CSSProperties}
      // Below the header line, so that its controls stay usable.
      offset={{ top: 60 }}
      mobileOffset={{ top: 60 }}
      containerAriaLabel={t('shared.notifications')}
      toastOptions={{
        closeButtonAriaLabel: t('shared.dismiss'),
        style: {
          background: 'var(--overlay)',
          color: 'var(--ink)',
          borderColor: 'var(--line-strong)',
          boxShadow: 'var(--float)',
          borderRadius: '12px',
          fontFamily: 'inherit',
        },
        actionButtonStyle: {
          background: 'var(--brand)',
          color: 'var(--on-brand)',
          height: '28px',
          borderRadius: '8px',
        },
      }}
    />
  )
}
