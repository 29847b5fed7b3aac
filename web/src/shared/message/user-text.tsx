import { useText } from '../i18n/index.ts'
import { useKeptState } from '../kept-state.ts'
import { PlainParts } from '../markdown/plain-parts.tsx'
import { Button } from '../ui/index.ts'

/** A user's message in its bubble; a long text is folded. */
export function UserText({ text }: { text: string }) {
  const { t } = useText()
  const [open, setOpen] = useKeptState('text', false)
  const short = foldedText(text)
  return (
    <div className="max-w-[88%] rounded-[16px] rounded-ee-[4px] bg-bubble px-4 py-2.5 md:max-w-[80%] forced-colors:border">
      <PlainParts text={open || short === text ? text : `${short}…`} />
      {short !== text && (
        <Button size="small" look="quiet" className="-ms-2 mt-1" aria-expanded={open} onClick={() => setOpen(!open)}>
          {t(open ? 'thread.fold.less' : 'thread.fold.more')}
        </Button>
      )}
    </div>
  )
}

/** UTF-16 units and lines beyond which a message is folded, and which remain visible then. */
const fold = { length: 1_000, lines: 14 } as const

function foldedText(text: string): string {
  const lines = text.slice(0, fold.length).split('\n')
  const short = lines.slice(0, fold.lines).join('\n')
  // Folding only a line or two is not worth it.
  return text.length - short.length > 200 ? short : text
}
