import { Code, Download, Maximize2, Workflow } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useText } from '../i18n/index.ts'
import { useKeptState } from '../kept-state.ts'
import { retryImport } from '../lazy/index.ts'
import { enlarge } from '../pictures/index.ts'
import { drawBeforePrinting } from '../printing.ts'
import { saveFile } from '../save-file.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { CodeBlock } from './code-block.tsx'
import { readDiagram } from './diagram-source.ts'

const fileName = 'diagram.svg'

/** A diagram as a picture with its source a click away; only the source while it is written and if it cannot be rendered. */
export function Diagram({ code, open }: { code: string; open: boolean }) {
  const { t } = useText()
  const [asText, setAsText] = useKeptState(`source ${code}`, false)
  const drawn = useDrawn(code, open)
  const toggle = (
    <IconButton
      label={t(asText ? 'chat.diagram.show' : 'chat.diagram.source')}
      size="small"
      onClick={() => setAsText(!asText)}
    >
      {asText ? <Workflow className="size-4" /> : <Code className="size-4" />}
    </IconButton>
  )
  if (!drawn || asText) {
    return <CodeBlock code={code} language="mermaid" open={open} {...(drawn && { extra: toggle })} />
  }
  // Until it is redrawn after a change of the theme, its colours are as light or dark as the page's.
  const look = drawn.inverted ? 'invert hue-rotate-180' : ''
  const file = new Blob([drawn.svg], { type: 'image/svg+xml' })
  const label = t('chat.diagram.label')
  return (
    <figure className="code-box">
      <div className="code-bar">
        <figcaption className="me-auto truncate">{label}</figcaption>
        <IconButton
          label={t('chat.diagram.enlarge')}
          size="small"
          onClick={() => enlarge({ title: label, alt: '', fileName, load: async () => file, className: look })}
        >
          <Maximize2 className="size-4" />
        </IconButton>
        <IconButton label={t('chat.diagram.download')} size="small" onClick={() => saveFile(fileName, file)}>
          <Download className="size-4" />
        </IconButton>
        {toggle}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard */}
      <div className="diagram" tabIndex={0}>
        <img src={drawn.address} alt={label} className={look} data-dark={drawn.dark || undefined} />
      </div>
    </figure>
  )
}

interface Drawn {
  readonly code: string
  readonly dark: boolean
  readonly svg: string
  /** `blob:` URL of the picture. */
  readonly address: string
}

/** Pictures that were drawn lately, by colours and source: a row that is scrolled into view again has its picture at once, so that nothing jumps. */
const kept = new Map<string, Drawn>()
/** More than a window shows. */
const mostKept = 60

function keep(key: string, drawn: Drawn): void {
  kept.set(key, drawn)
  const [oldest] = kept
  if (kept.size <= mostKept || oldest === undefined) return
  kept.delete(oldest[0])
  URL.revokeObjectURL(oldest[1].address)
}

/** The rendered picture, null before; `inverted` while it is in the colours of the theme before. */
function useDrawn(code: string, open: boolean): (Drawn & { readonly inverted: boolean }) | null {
  const id = useId().replace(/\W/g, '')
  const { dark, colours } = usePageColours()
  const key = `${colours} ${code}`
  const [latest, setLatest] = useState<Drawn | null>(null)
  useEffect(() => {
    const source = open || kept.has(key) ? null : readDiagram(code)
    if (source === null) return
    let wanted = true
    const drawn = draw(source, `diagram-${id}`, dark).then(
      (svg) => {
        const address = URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' }))
        keep(key, { code, dark, svg, address })
        if (wanted) setLatest({ code, dark, svg, address })
      },
      // An invalid diagram is shown as its source.
      () => undefined,
    )
    drawBeforePrinting(drawn)
    return () => {
      wanted = false
    }
  }, [code, open, id, dark, key])
  const drawn = kept.get(key) ?? latest
  return !open && drawn?.code === code ? { ...drawn, inverted: drawn.dark !== dark } : null
}

async function draw(source: string, id: string, dark: boolean): Promise<string> {
  const { drawDiagram } = await retryImport(() => import('./draw-diagram.ts'))
  return drawDiagram(source, id, dark)
}

/** Whether the page is dark, and the colours by which themes differ. */
function pageColours() {
  const page = getComputedStyle(document.documentElement)
  const colours = ['ink', 'bubble', 'brand', 'warn'].map((name) => page.getPropertyValue(`--${name}`))
  return { dark: page.colorScheme.startsWith('dark'), colours: colours.join() }
}

function usePageColours() {
  const [now, setNow] = useState(pageColours)
  useEffect(() => {
    const observer = new MutationObserver(() => setNow(pageColours()))
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => observer.disconnect()
  }, [])
  return now
}
