import { Code, Workflow } from 'lucide-react'
import { useEffect, useId, useState } from 'react'
import { useText } from '../i18n/index.ts'
import { IconButton } from '../ui/index.ts'
import { CodeBlock } from './code-block.tsx'
import { readDiagram } from './diagram-source.ts'

/** A diagram as a picture, its text a button away; the text alone while it is written and where it cannot be drawn. */
export function Diagram({ code, open }: { code: string; open: boolean }) {
  const { t } = useText()
  const [asText, setAsText] = useState(false)
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
        {toggle}
      </div>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard */}
      <div className="diagram" tabIndex={0}>
        <img src={drawn} alt={t('chat.diagram.label')} />
      </div>
    </figure>
  )
}

/** The address of the drawn picture; null while there is none. */
function useDrawn(code: string, open: boolean): string | null {
  const id = useId().replace(/\W/g, '')
  const dark = useDarkPage()
  const [drawn, setDrawn] = useState<{ readonly code: string; readonly address: string } | null>(null)
  useEffect(() => {
    const source = open ? null : readDiagram(code)
    if (source === null) return
    let wanted = true
    draw(source, `diagram-${id}`, dark).then(
      (address) => {
        if (wanted) setDrawn({ code, address })
        else URL.revokeObjectURL(address)
      },
      // What is no diagram is shown as the text that it is.
      () => undefined,
    )
    return () => {
      wanted = false
    }
  }, [code, open, id, dark])
  // The picture of one theme stays until that of the other is there: nothing jumps.
  useEffect(() => (drawn ? () => URL.revokeObjectURL(drawn.address) : undefined), [drawn])
  return !open && drawn?.code === code ? drawn.address : null
}

async function draw(source: string, id: string, dark: boolean): Promise<string> {
  const { drawDiagram } = await import('./draw-diagram.ts')
  return URL.createObjectURL(new Blob([await drawDiagram(source, id, dark)], { type: 'image/svg+xml' }))
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
