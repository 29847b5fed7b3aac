import { Smile } from 'lucide-react'
import { Suspense, useEffect, useLayoutEffect, useRef, useState } from 'react'
import { useText } from '../../../../shared/i18n/index.ts'
import { lazyPart } from '../../../../shared/lazy/index.ts'
import { ErrorBoundary, IconButton, Skeleton } from '../../../../shared/ui/index.ts'

const EmojiPanel = lazyPart(async () => (await import('./emoji-panel.tsx')).EmojiPanel)

/** In pixels: the picker with its distance from the composer, and the page's header. */
const pickerHeight = 328
const headerHeight = 52

/** Whether the picker does not fit above the composer and there is more room below. */
function opensBelow(composer: Element | null | undefined): boolean {
  if (!composer) return false
  const { top, bottom } = composer.getBoundingClientRect()
  const above = top - headerHeight
  return above < pickerHeight && innerHeight - bottom > above
}

/** The button of the emoji picker, whose code and data are loaded when it is opened. */
export function EmojiButton({ onPick }: { onPick: (emoji: string) => void }) {
  const { t } = useText()
  const [open, setOpen] = useState(false)
  const [below, setBelow] = useState(false)
  const box = useRef<HTMLDivElement>(null)
  const button = useRef<HTMLSpanElement>(null)
  useLayoutEffect(() => {
    if (open) setBelow(opensBelow(box.current?.offsetParent))
  }, [open])
  useEffect(() => {
    if (!open) return
    const outside = ({ target }: PointerEvent) => {
      const inside = box.current?.contains(target as Node) || button.current?.contains(target as Node)
      if (!inside) setOpen(false)
    }
    document.addEventListener('pointerdown', outside, true)
    return () => document.removeEventListener('pointerdown', outside, true)
  }, [open])
  return (
    <>
      <span ref={button}>
        <IconButton
          label={t('composer.emoji.label')}
          aria-haspopup="dialog"
          aria-expanded={open}
          onClick={() => setOpen(!open)}
        >
          <Smile className="size-4.5" />
        </IconButton>
      </span>
      {open && (
        <div
          ref={box}
          role="dialog"
          aria-label={t('composer.emoji.label')}
          onKeyDown={(event) => {
            if (event.key !== 'Escape') return
            event.stopPropagation()
            setOpen(false)
            button.current?.querySelector('button')?.focus()
          }}
          className={`absolute start-2 z-20 h-80 ${below ? 'top-full mt-2' : 'bottom-full mb-2'} w-[min(20rem,calc(100vw-2.5rem))] overflow-hidden rounded-xl border border-line-strong bg-overlay shadow-float`}
        >
          <ErrorBoundary level="component">
            <Suspense
              fallback={
                <div className="p-4">
                  <Skeleton widths={['100%', '90%', '100%']} />
                </div>
              }
            >
              <EmojiPanel
                onPick={(emoji) => {
                  setOpen(false)
                  onPick(emoji)
                }}
              />
            </Suspense>
          </ErrorBoundary>
        </div>
      )}
    </>
  )
}
