import { PanelLeft } from 'lucide-react'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useText } from '../i18n/index.ts'
import { IconButton } from '../ui/index.ts'
import { closeDrawer, toggleSidebar, useFrame } from './frame-state.ts'

const HeaderSlot = createContext<HTMLElement | null>(null)

/** Renders its children into the frame's header line, from anywhere inside the frame. */
export function FrameHeader({ children }: { children: ReactNode }) {
  const slot = useContext(HeaderSlot)
  return slot && createPortal(children, slot)
}

/** Sidebar, header line and content, filling the window. Without a sidebar there is only the header. */
export function Frame({ sidebar, children }: { sidebar?: ReactNode; children: ReactNode }) {
  const { t } = useText()
  const collapsed = useFrame((state) => state.collapsed)
  const covered = useFrame((state) => state.drawerOpen)
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  useToggleFocus(collapsed)
  return (
    <div className="flex h-[calc(100dvh-var(--bar-height,0px))] overflow-clip">
      <a
        href="#content"
        inert={covered}
        className="fixed start-3 top-3 z-50 -translate-y-20 rounded-card bg-brand px-3 py-2 text-on-brand focus:translate-y-0"
      >
        {t('shared.frame.skip')}
      </a>
      {sidebar && <Column collapsed={collapsed}>{sidebar}</Column>}
      {sidebar && <Drawer>{sidebar}</Drawer>}
      <div inert={covered} className="flex min-w-0 flex-1 flex-col">
        <header className="flex h-13 shrink-0 items-center gap-1.5 border-b border-line px-2 md:px-3.5">
          {sidebar && (
            <IconButton
              label={t('shared.frame.openSidebar')}
              onClick={toggleSidebar}
              data-toggle
              className={collapsed ? '' : 'md:hidden'}
            >
              <PanelLeft className="size-4.5 rtl:-scale-x-100" />
            </IconButton>
          )}
          <div ref={setSlot} className="flex min-w-0 flex-1 items-center gap-1.5" />
        </header>
        <main id="content" tabIndex={-1} className="relative flex min-h-0 flex-1 flex-col outline-none">
          <HeaderSlot value={slot}>{children}</HeaderSlot>
        </main>
      </div>
    </div>
  )
}

/** Moves the focus from the button that opened or closed the sidebar, and is gone then, to the one that does the opposite. */
function useToggleFocus(collapsed: boolean): void {
  // Read before the update, which leaves the focus nowhere.
  const pressed = document.activeElement?.closest('[data-toggle]')
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is the sidebar that changes
  useEffect(() => {
    if (!pressed || pressed.checkVisibility()) return
    const shown = (which: string) =>
      [...document.querySelectorAll<HTMLElement>(which)].find((element) => element.checkVisibility())
    // Some sidebars have no button.
    const next = shown('[data-toggle]') ?? shown('aside a')
    next?.focus()
  }, [collapsed])
}

function Column({ collapsed, children }: { collapsed: boolean; children: ReactNode }) {
  const { t } = useText()
  if (collapsed) return null
  return (
    <aside
      aria-label={t('shared.frame.sidebar')}
      className="hidden w-68 shrink-0 flex-col border-e border-line bg-raised md:flex"
    >
      {children}
    </aside>
  )
}

const focusable = 'a[href], button:not(:disabled), input, [tabindex="0"]'

/**
 * The sidebar over a narrow window. The covered content is inert. It is not a modal <dialog>, because toasts at the edge of the
 * page (Undo after a delete) must stay usable.
 */
function Drawer({ children }: { children: ReactNode }) {
  const { t } = useText()
  const ref = useRef<HTMLDivElement>(null)
  const open = useFrame((state) => state.drawerOpen)
  useEffect(() => {
    if (!open) return
    const opener = document.activeElement
    // A list inside may have scrolled to its active entry.
    ref.current?.querySelector<HTMLElement>(focusable)?.focus({ preventScroll: true })
    // A wider window shows the sidebar next to the content again.
    const wide = matchMedia('(min-width: 48rem)')
    wide.addEventListener('change', closeDrawer)
    return () => {
      wide.removeEventListener('change', closeDrawer)
      if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus()
    }
  }, [open])
  if (!open) return null
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: Escape is caught for what is inside
    <div
      className="fixed inset-0 z-40 md:hidden"
      onKeyDown={(event) => {
        // A dialog above the drawer and the renaming of a chat handle Escape themselves.
        if (event.key !== 'Escape' || event.defaultPrevented || (event.target as Element).closest('dialog')) return
        event.preventDefault()
        closeDrawer()
      }}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: it is only what stands beside the drawer */}
      <div className="absolute inset-0 bg-scrim" onClick={closeDrawer} />
      <div
        ref={ref}
        role="dialog"
        aria-label={t('shared.frame.sidebar')}
        className="absolute inset-y-0 start-0 flex w-[min(19rem,86vw)] flex-col border-e border-line bg-raised"
      >
        {children}
      </div>
    </div>
  )
}
