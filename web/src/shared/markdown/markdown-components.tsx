import { foreignHost } from '@parley/markdown'
import { Check, ImageIcon } from 'lucide-react'
import { Children, type ComponentProps, isValidElement, type ReactNode, Suspense, useContext } from 'react'
import { useText } from '../i18n/index.ts'
import { lazyPart } from '../lazy/index.ts'
import { CodeBlock } from './code-block.tsx'
import type { Components } from './draw-tree.ts'
import { isCitable, SourcesContext } from './sources.ts'
import { TableBox } from './table-box.tsx'

/** The same components for all texts: an element of another one would be mounted anew, which loses clicks, the selection and what is switched in it. */
const fixed: Components = {
  // Its direction also keeps it from deciding that of the text around it.
  code: ({ children }) => <code dir="ltr">{children}</code>,
  ul: ({ children, className }) => (
    <ul dir="auto" className={className}>
      {children}
    </ul>
  ),
  ol: ({ children, start }) => (
    <ol dir="auto" start={start}>
      {children}
    </ol>
  ),
  blockquote: ({ children }) => <blockquote dir="auto">{children}</blockquote>,
  a: ({ href, id, children }) => (
    <AnswerLink href={href} id={id}>
      {children}
    </AnswerLink>
  ),
  cite: ({ children }) => <Citation number={Number(children)} />,
  img: ({ src, alt }) => <AnswerImage src={typeof src === 'string' ? src : ''} alt={alt ?? ''} />,
  table: ({ children }) => <TableBox>{children}</TableBox>,
  input: ({ checked }) => <TaskMark done={checked === true} />,
}
const openFence: Components['pre'] = ({ children }) => <Fence {...codeOf(children)} open />
const closedFence: Components['pre'] = ({ children }) => <Fence {...codeOf(children)} open={false} />

const sizes = [1, 2, 3, 4, 5, 6] as const
const headings = new Map<string, Components['h1']>()

/** A heading as it was written, at a level of the page. */
function headingOf(size: number, level: number): Components['h1'] {
  const Level = `h${level}` as 'h3'
  const made: Components['h1'] =
    headings.get(`${size} ${level}`) ??
    (({ children, className, id }: ComponentProps<'h3'>) => (
      <Level dir="auto" id={id} className={className} data-size={size}>
        {children}
      </Level>
    ))
  headings.set(`${size} ${level}`, made)
  return made
}

/**
 * How an answer's elements are rendered; `open` when the block's last fence is unfinished. Messages have a heading of level 2, so an answer's headings start
 * at level 3, whichever its first one (`topLevel`) was written with: a skipped level would mislead users who navigate by headings.
 */
export const markdownComponents = (open: boolean, topLevel: number): Components => ({
  ...fixed,
  ...Object.fromEntries(
    sizes.map((size) => [`h${size}`, headingOf(size, Math.min(6, 3 + Math.max(0, size - topLevel)))]),
  ),
  pre: open ? openFence : closedFence,
})

const Diagram = lazyPart(async () => (await import('./diagram.tsx')).Diagram)

/** Loads what draws diagrams, so that none is shown as its source first; a failure is retried on render. */
export const prepareDiagrams = (): Promise<void> => Diagram.prepare().catch(() => undefined)

/** A fenced code block, or a diagram. */
export function Fence({ code, language, open }: { code: string; language: string; open: boolean }) {
  const asText = <CodeBlock code={code} language={language} open={open} />
  if (language.toLowerCase() !== 'mermaid') return asText
  return (
    <Suspense fallback={asText}>
      <Diagram code={code} open={open} />
    </Suspense>
  )
}

function AnswerLink({ href, id, children }: { href: string | undefined; id: string | undefined; children: ReactNode }) {
  if (!href) return <>{children}</>
  if (href.startsWith('#')) {
    return (
      <a href={href} id={id} onClick={(event) => goTo(href.slice(1)) && event.preventDefault()}>
        {children}
      </a>
    )
  }
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

/** Scrolls to a footnote or back without changing the page's URL. */
function goTo(id: string): boolean {
  const target = document.getElementById(id)
  target?.scrollIntoView({ block: 'nearest' })
  const focused = target?.querySelector('a') ?? target
  focused?.focus()
  return target !== null
}

/** A source's number, linked to it; plain text if there is no such source. */
function Citation({ number }: { number: number }) {
  const { t } = useText()
  const source = useContext(SourcesContext)[number - 1]
  if (!source || !isCitable(source)) return `[${number}]`
  return (
    <a
      href={source.url}
      target="_blank"
      rel="noopener noreferrer nofollow"
      className="citation"
      title={source.title}
      aria-label={t('chat.search.citation', { number, domain: source.domain })}
    >
      {number}
    </a>
  )
}

/** A foreign image is shown as a link only: loading it would tell its host who reads the answer. */
function AnswerImage({ src, alt }: { src: string; alt: string }) {
  const { t } = useText()
  const host = foreignHost(src, window.location.origin)
  if (src === '') return alt
  if (host === null) return <img src={src} alt={alt} loading="lazy" />
  return (
    <a href={src} target="_blank" rel="noopener noreferrer nofollow" className="image-link">
      <ImageIcon className="size-4 shrink-0" />
      {alt ? t('chat.image.openNamed', { alt, host }) : t('chat.image.open', { host })}
    </a>
  )
}

function TaskMark({ done }: { done: boolean }) {
  const { t } = useText()
  return (
    <span
      role="img"
      aria-label={done ? t('chat.task.done') : t('chat.task.open')}
      className="task-mark"
      data-done={done || undefined}
    >
      {done && <Check className="size-3 stroke-3" />}
    </span>
  )
}

function codeOf(children: ReactNode): { code: string; language: string } {
  const [child] = Children.toArray(children)
  if (!isValidElement<{ className?: string; children?: ReactNode }>(child)) return { code: '', language: '' }
  const { className = '', children: text } = child.props
  return {
    code: typeof text === 'string' ? text.replace(/\n$/, '') : '',
    language: /language-(\S+)/.exec(className)?.[1] ?? '',
  }
}
