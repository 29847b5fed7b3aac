import { Quote } from 'lucide-react'
import { type RefObject, useEffect, useState } from 'react'
import { useText } from '../../../../shared/i18n/index.ts'
import { Button } from '../../../../shared/ui/index.ts'

interface Props {
  readonly scroller: RefObject<HTMLElement | null>
  readonly onQuote: (text: string) => void
}

/** Pixels between the selection and the button above it. */
const above = 44

/** Offers to quote the selected text of the thread, above the selection. */
export function QuoteButton({ scroller, onQuote }: Props) {
  const { t } = useText()
  const [selected, setSelected] = useState<{ readonly text: string; readonly top: number } | null>(null)
  useEffect(() => {
    const look = () => setSelected(selectionIn(scroller.current))
    const box = scroller.current
    document.addEventListener('selectionchange', look)
    box?.addEventListener('scroll', look, { passive: true })
    return () => {
      document.removeEventListener('selectionchange', look)
      box?.removeEventListener('scroll', look)
    }
  }, [scroller])
  if (!selected) return null
  return (
    <div style={{ top: selected.top }} className="pointer-events-none absolute inset-x-0 z-10 flex justify-center">
      <Button
        size="small"
        className="pointer-events-auto rounded-full bg-overlay shadow-float"
        // The press would clear the selection before the click.
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => {
          onQuote(selected.text)
          document.getSelection()?.removeAllRanges()
        }}
      >
        <Quote className="size-3.5" />
        {t('thread.quote.selection')}
      </Button>
    </div>
  )
}

function selectionIn(box: HTMLElement | null): { text: string; top: number } | null {
  const selection = document.getSelection()
  const text = selection?.toString().trim() ?? ''
  if (!box || !selection || text === '' || selection.rangeCount === 0) return null
  if (!box.contains(selection.anchorNode) || !box.contains(selection.focusNode)) return null
  const { top } = selection.getRangeAt(0).getBoundingClientRect()
  const frame = box.getBoundingClientRect()
  return { text, top: Math.min(Math.max(top - frame.top - above, 8), frame.height - above) }
}
