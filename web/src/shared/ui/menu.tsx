import { Check } from 'lucide-react'
import {
  type KeyboardEvent,
  type ReactElement,
  type ReactNode,
  type RefObject,
  Suspense,
  useEffect,
  useId,
  useRef,
  useState,
} from 'react'
import { createPortal } from 'react-dom'
import { isModified } from '../keyboard/is-modified.ts'
import { classNames } from './class-names.ts'
import { type Place, placeMenu } from './place-menu.ts'

/** Props that a menu's trigger must spread onto its button. */
export interface TriggerProps {
  readonly ref: (element: HTMLButtonElement | null) => void
  readonly onClick: () => void
  readonly 'aria-haspopup': 'menu'
  readonly 'aria-expanded': boolean
  readonly 'aria-controls': string | undefined
}

interface MenuProps {
  readonly label: string
  readonly trigger: (props: TriggerProps) => ReactElement
  /** The edge of the trigger to which the menu is aligned. */
  readonly align?: 'start' | 'end'
  readonly children: ReactNode
}

const items = (menu: HTMLElement) => [...menu.querySelectorAll<HTMLElement>('[role^="menuitem"]:not([disabled])')]

function moveFocus(menu: HTMLElement, event: KeyboardEvent): void {
  const all = items(menu)
  const at = all.indexOf(document.activeElement as HTMLElement)
  const next = { ArrowDown: at + 1, ArrowUp: at - 1 + all.length, Home: 0, End: all.length - 1 }[event.key]
  if (next === undefined || all.length === 0 || isModified(event)) return
  event.preventDefault()
  all[next % all.length]?.focus()
}

/** A button with a menu of `MenuItem`s: arrow keys move, Escape and a click outside close it, and so does a choice. Opens once its items have loaded. */
export function Menu({ label, trigger, align = 'start', children }: MenuProps) {
  const id = useId()
  const button = useRef<HTMLButtonElement>(null)
  const [place, setPlace] = useState<Place | null>(null)
  const open = place !== null
  const close = (refocus: boolean) => {
    setPlace(null)
    if (refocus) button.current?.focus()
  }
  return (
    <>
      {trigger({
        ref: (element) => {
          button.current = element
        },
        onClick: () => setPlace(open || !button.current ? null : placeMenu(button.current, align)),
        'aria-haspopup': 'menu',
        'aria-expanded': open,
        'aria-controls': open ? id : undefined,
      })}
      {open &&
        createPortal(
          // Around the whole panel, which moves the focus to one of its items when it appears.
          <Suspense fallback={<MenuToCome button={button} close={close} />}>
            <MenuPanel id={id} label={label} place={place} button={button} close={close}>
              {children}
            </MenuPanel>
          </Suspense>,
          // A modal dialog or drawer makes everything outside inert, and content outside of landmarks is hard to find.
          button.current?.closest('dialog, [role="dialog"], aside, header, main') ?? document.body,
        )}
    </>
  )
}

interface PanelProps {
  readonly id: string
  readonly label: string
  readonly place: Place
  readonly button: { readonly current: HTMLButtonElement | null }
  readonly close: (refocus: boolean) => void
  readonly children: ReactNode
}

/** Closes the menu on a click outside, and when its button may have moved. @param menu absent while it is loading */
function useClosing(
  { button, close }: Pick<PanelProps, 'button' | 'close'>,
  menu?: RefObject<HTMLElement | null>,
): void {
  const latestClose = useRef(close)
  latestClose.current = close
  useEffect(() => {
    const outside = (event: Event) => {
      const target = event.target as Node
      if (!menu?.current?.contains(target) && !button.current?.contains(target)) latestClose.current(false)
    }
    const moved = () => latestClose.current(false)
    document.addEventListener('pointerdown', outside, true)
    window.addEventListener('resize', moved)
    return () => {
      document.removeEventListener('pointerdown', outside, true)
      window.removeEventListener('resize', moved)
    }
  }, [button, menu])
}

/** Placeholder of a menu that is loading: it can be cancelled like an open menu. */
function MenuToCome({ button, close }: Pick<PanelProps, 'button' | 'close'>) {
  useClosing({ button, close })
  useEffect(() => {
    const pressed = (event: globalThis.KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      close(true)
    }
    document.addEventListener('keydown', pressed, true)
    return () => document.removeEventListener('keydown', pressed, true)
  }, [close])
  return null
}

function MenuPanel({ id, label, place, button, close, children }: PanelProps) {
  const ref = useRef<HTMLDivElement>(null)
  useClosing({ button, close }, ref)
  useEffect(() => {
    if (ref.current) items(ref.current)[0]?.focus()
  }, [])
  return (
    <div
      ref={ref}
      id={id}
      role="menu"
      tabIndex={-1}
      aria-label={label}
      style={place}
      className="fixed z-50 min-w-48 max-w-72 overflow-y-auto rounded-xl border border-line-strong bg-overlay p-1 shadow-float"
      onClick={(event) => {
        const item = (event.target as HTMLElement).closest('[role^="menuitem"]')
        if (item && !item.hasAttribute('data-keeps-open')) close(!item.hasAttribute('data-keeps-focus'))
      }}
      onKeyDown={(event) => {
        if (event.key === 'Escape' || event.key === 'Tab') {
          event.preventDefault()
          event.stopPropagation()
          close(true)
        } else if (ref.current) moveFocus(ref.current, event)
      }}
    >
      {children}
    </div>
  )
}

interface ItemProps {
  /** The menu sets its size. */
  readonly icon?: ReactNode
  readonly danger?: boolean
  readonly disabled?: boolean
  /** Set for one of several options. */
  readonly checked?: boolean
  /** Focus goes where `onSelect` puts it instead of back to the trigger. */
  readonly keepsFocus?: boolean
  /** The menu stays open with other items. */
  readonly keepsOpen?: boolean
  readonly onSelect: () => void
  readonly children: ReactNode
}

/** One item of a menu. */
export function MenuItem({ icon, danger, disabled, checked, keepsFocus, keepsOpen, onSelect, children }: ItemProps) {
  return (
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: it is set for the radio role only
    <button
      type="button"
      role={checked === undefined ? 'menuitem' : 'menuitemradio'}
      aria-checked={checked}
      disabled={disabled}
      data-keeps-focus={keepsFocus || undefined}
      data-keeps-open={keepsOpen || undefined}
      tabIndex={-1}
      onClick={onSelect}
      className={classNames(
        'flex min-h-9 w-full items-center gap-2.5 rounded-row px-2.5 text-start hover:bg-hover focus-visible:bg-active focus-visible:outline-none pointer-coarse:min-h-11',
        'disabled:cursor-not-allowed disabled:opacity-45',
        danger ? 'text-danger' : 'text-ink',
      )}
    >
      <span className={classNames('contents *:size-4.5 *:shrink-0', !danger && 'text-ink-2')}>{icon}</span>
      {children}
      {checked && <Check aria-hidden="true" className="ms-auto size-4 shrink-0 stroke-2 text-brand" />}
    </button>
  )
}

interface MenuGroupProps {
  readonly label: string
  /** Shown before the label. */
  readonly mark?: ReactNode
  readonly children: readonly ReactNode[]
}

/** A named group of items; renders nothing if it is empty. */
export function MenuGroup({ label, mark, children }: MenuGroupProps) {
  if (children.length === 0) return null
  return (
    // biome-ignore lint/a11y/useSemanticElements: a menu may only hold choices and groups of them
    <div
      role="group"
      aria-label={label}
      className="not-first:mt-1 not-first:border-t not-first:border-line not-first:pt-1"
    >
      <p aria-hidden="true" className="flex items-center gap-2 px-2.5 pt-1 pb-0.5 text-2xs font-medium text-ink-3">
        {mark}
        {label}
      </p>
      {children}
    </div>
  )
}

/** A line between groups of items. */
export const MenuSeparator = () => <hr className="my-1 border-line" />
