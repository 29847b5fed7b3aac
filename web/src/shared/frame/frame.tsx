import { PanelLeft } from 'lucide-react'
import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useText } from '../i18n/index.ts'
import { IconButton } from '../ui/index.ts'
import { closeDrawer, toggleSidebar, useFrame } from './frame-state.ts'

const HeaderSlot = createContext<HTMLElement | null>(null)

/** Puts its children into the frame's header line, wherever it is rendered inside the frame. */
export function FrameHeader({ children }: { children: ReactNode }) {
  const slot = useContext(HeaderSlot)
  return slot && createPortal(children, slot)
}

/** Sidebar, header line and content, over the whole window. Without a sidebar the header stands alone. */
export function Frame({ sidebar, children }: { sidebar?: ReactNode; children: ReactNode }) {
  const { t } = useText()
  const collapsed = useFrame((state) => state.collapsed)
  const [slot, setSlot] = useState<HTMLElement | null>(null)
  return (
    <div className="flex h-dvh overflow-hidden">
      <a
        href="#content"
        className="fixed start-3 top-3 z-50 -translate-y-20 rounded-card bg-brand px-3 py-2 text-on-brand focus:translate-y-0"
      >
        {t('shared.frame.skip')}
      </a>
      {sidebar && <Column collapsed={collapsed}>{sidebar}</Column>}
      {sidebar && <Drawer>{sidebar}</Drawer>}
      <div className="flex min-w-0 flex-1 flex-col">
        <header className="flex h-13 shrink-0 items-center gap-1.5 border-b border-line px-2 md:px-3.5">
          {sidebar && (
            <IconButton
              label={t('shared.frame.openSidebar')}
              onClick={toggleSidebar}
              className={collapsed ? '' : 'md:hidden'}
            >
              <PanelLeft aria-hidden="true" className="size-4.5" strokeWidth={1.6} />
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

function Drawer({ children }: { children: ReactNode }) {
  const { t } = useText()
  const ref = useRef<HTMLDialogElement>(null)
  const open = useFrame((state) => state.drawerOpen)
  useEffect(() => {
    const drawer = ref.current
    if (!open || !drawer) return
    drawer.showModal()
    return () => drawer.close()
  }, [open])
  if (!open) return null
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: Escape is the keyboard's way and the browser's own
    <dialog
      ref={ref}
      aria-label={t('shared.frame.sidebar')}
      onClose={closeDrawer}
      onClick={(event) => event.target === ref.current && closeDrawer()}
      className="fixed inset-y-0 start-0 m-0 h-dvh max-h-none w-[min(19rem,86vw)] max-w-none border-e border-line bg-raised p-0 text-ink md:hidden"
    >
      <div className="flex h-full flex-col">{children}</div>
    </dialog>
  )
}
