import { type CSSProperties, Suspense } from 'react'
import { useText } from '../i18n/index.ts'
import { lazyPart } from '../lazy/index.ts'
import { resolveTheme, useTheme } from '../theme/theme.ts'
import { useToaster } from './toast.tsx'

const LazyToaster = lazyPart(async () => (await import('sonner')).Toaster)

/** The container of toasts. */
export function Toaster() {
  const { t } = useText()
  const wanted = useToaster((state) => state.wanted)
  const theme = useTheme((state) => state.name)
  if (!wanted) return null
  const drawn = resolveTheme(theme, matchMedia('(prefers-color-scheme: light)').matches)
  return (
    <Suspense>
      <LazyToaster
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
    </Suspense>
  )
}
