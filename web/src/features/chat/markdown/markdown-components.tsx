import { ImageIcon } from 'lucide-react'
import { Children, isValidElement, type ReactNode } from 'react'
import type { Components } from 'react-markdown'
import { useText } from '../../../shared/i18n/index.ts'
import { CodeBlock } from './code-block.tsx'
import { foreignHost } from './link-policy.ts'

/** How the elements of an answer are drawn; `open` when the block's last fence is still being written. */
export function markdownComponents(open: boolean): Components {
  return {
    // Rows have a heading of their own. Answers begin at any level, and a jump of levels would mislead those who navigate by headings.
    h1: ({ children }) => <h3 className="text-lg">{children}</h3>,
    h2: ({ children }) => <h3 className="text-[1.0625rem]">{children}</h3>,
    h3: ({ children }) => <h3>{children}</h3>,
    h4: ({ children }) => <h4>{children}</h4>,
    h5: ({ children }) => <h4>{children}</h4>,
    h6: ({ children }) => <h4>{children}</h4>,
    a: ({ href, children }) => <AnswerLink href={href}>{children}</AnswerLink>,
    img: ({ src, alt }) => <AnswerImage src={typeof src === 'string' ? src : ''} alt={alt ?? ''} />,
    table: ({ children }) => <Table>{children}</Table>,
    input: ({ checked }) => <TaskMark done={checked === true} />,
    pre: ({ children }) => <CodeBlock {...codeOf(children)} open={open} />,
  }
}

function AnswerLink({ href, children }: { href: string | undefined; children: ReactNode }) {
  if (!href) return <>{children}</>
  return (
    <a href={href} target="_blank" rel="noopener noreferrer nofollow">
      {children}
    </a>
  )
}

/** A foreign image is only named: fetching it would tell its host who reads the answer. A click opens it in a tab of its own. */
function AnswerImage({ src, alt }: { src: string; alt: string }) {
  const { t } = useText()
  const host = foreignHost(src, window.location.origin)
  if (src === '') return alt
  if (host === null) return <img src={src} alt={alt} loading="lazy" />
  return (
    <a href={src} target="_blank" rel="noopener noreferrer nofollow" className="image-link">
      <ImageIcon aria-hidden="true" className="size-4 shrink-0" strokeWidth={1.6} />
      {alt ? t('chat.image.openNamed', { alt, host }) : t('chat.image.open', { host })}
    </a>
  )
}

function Table({ children }: { children: ReactNode }) {
  const { t } = useText()
  return (
    // biome-ignore lint/a11y/useSemanticElements: a section would be a landmark of the page
    // biome-ignore lint/a11y/noNoninteractiveTabindex: a box that scrolls has to be reachable by keyboard
    <div className="table-box" role="region" aria-label={t('chat.table.label')} tabIndex={0}>
      <table>{children}</table>
    </div>
  )
}

function TaskMark({ done }: { done: boolean }) {
  const { t } = useText()
  return (
    <span role="img" aria-label={done ? t('chat.task.done') : t('chat.task.open')} className="me-2">
      {done ? '☑' : '☐'}
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
