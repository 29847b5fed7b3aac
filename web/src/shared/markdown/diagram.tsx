import { Code, Download, Maximize2, Workflow } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useText } from '../i18n/index.ts'
import { retryImport } from '../lazy/index.ts'
import { saveFile } from '../save-file.ts'
import { Dialog } from '../ui/dialog.tsx'
import { IconButton } from '../ui/icon-button.tsx'
import { CodeBlock } from './code-block.tsx'
import { readDiagram } from './diagram-source.ts'

/** A diagram as a picture with its source a click away; only the source while it is written and if it cannot be rendered. */
export function Diagram({ code, open }: { code: string; open: boolean }) {
  const { t } = useText()
  const [asText, setAsText] = useState(false)
  const [large, setLarge] = useState(false)
  const drawn = useDrawn(code, open)
  const toggle = (
    <IconButton
      label={t(asText ? 'chat.diagram.show' : 'chat.diagram.source')}
      size="small"
      onClick={() => setAsText(!asText)}
    >
      {asText ? (
        <Workflow aria-hidden="true" className="size-4" strokeWidth={1.6} />
      ) : (
        <Code aria-hidden="true" className="size-4" strokeWidth={1.6} />
      )}
    </IconButton>
  )
  if (!drawn || asText) {
    return <CodeBlock code={code} language="mermaid" open={open} {...(drawn && { extra: toggle })} />
  }
  return (
    <figure className="code-box">
      <div className="code-bar">
        <figcaption className="me-auto truncate">{t('chat.diagram.label')}</figcaption>
        <IconButton label={t('chat.diagram.enlarge')} size="small" onClick={() => setLarge(true)}>
          <Maximize2 aria-hidden="true" className="size-4" strokeWidth={1.6} />
        </IconButton>
        <IconButton
          label={t('chat.diagram.download')}
          size="small"
          onClick={() => saveFile('diagram.svg', drawn.svg, 'image/svg+xml')}
        >
          <Download aria-hidden="true" className="size-4" strokeWidth={1.6} />
        </IconButton>
        {toggle}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard */}
      <div className="diagram" tabIndex={0}>
        <img src={drawn.address} alt={t('chat.diagram.label')} />
      </div>
      <Dialog open={large} onClose={() => setLarge(false)} title={t('chat.diagram.label')} wide="window">
        <img src={drawn.address} alt="" className="min-h-0 w-full flex-1 object-contain" />
      </Dialog>
    </figure>
  )
}

interface Drawn {
  readonly code: string
  readonly svg: string
  /** `blob:` URL of the picture, valid while it is shown. */
  readonly address: string
}

/** The rendered picture; null before. */
function useDrawn(code: string, open: boolean): Drawn | null {
  const id = useId().replace(/\W/g, '')
  const dark = useDarkPage()
  const [drawn, setDrawn] = useState<Drawn | null>(null)
  useEffect(() => {
    const source = open ? null : readDiagram(code)
    if (source === null) return
    let wanted = true
    draw(source, `diagram-${id}`, dark).then(
      (svg) => {
        if (wanted) setDrawn({ code, svg, address: URL.createObjectURL(new Blob([svg], { type: 'image/svg+xml' })) })
      },
      // An invalid diagram is shown as its source.
      () => undefined,
    )
    return () => {
      wanted = false
    }
  }, [code, open, id, dark])
  // The old theme's picture stays until the new one is rendered, so that nothing jumps.
  useEffect(() => (drawn ? () => URL.revokeObjectURL(drawn.address) : undefined), [drawn])
  return !open && drawn?.code === code ? drawn : null
}

async function draw(source: string, id: string, dark: boolean): Promise<string> {
  const { drawDiagram } = await retryImport(() => import('./draw-diagram.ts'))
  return drawDiagram(source, id, dark)
}

const isDark = () => getComputedStyle(document.documentElement).colorScheme.startsWith('dark')

function useDarkPage(): boolean {
  const [dark, setDark] = useState(isDark)
  useEffect(() => {
    const observer = new MutationObserver(() => setDark(isDark()))
    observer.observe(document.documentElement, { attributeFilter: ['data-theme'] })
    return () => observer.disconnect()
  }, [])
  return dark
}
