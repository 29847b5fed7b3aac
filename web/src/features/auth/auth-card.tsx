import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { Link } from 'react-router-dom'
import { Brand } from '../../shared/ui/index.ts'

interface Props {
  readonly title: string
  readonly lead: ReactNode
  readonly children: ReactNode
  readonly foot?: ReactNode
}

/** The shape of all screens before the chat: mark, title, one sentence, a form, a way on. */
export function AuthCard({ title, lead, children, foot }: Props) {
  return (
    <main className="grid min-h-dvh place-items-center px-6 py-10">
      <title>{`${title} · Parley`}</title>
      <div className="w-full max-w-card">
        <Link to="/" className="mb-7 inline-block rounded-row">
          <Brand size={26} />
        </Link>
        <h1 className="mb-1.5 text-2xl leading-tight font-semibold tracking-tight">{title}</h1>
        <p className="mb-6 text-ink-2">{lead}</p>
        {children}
        {foot && <div className="mt-6 flex flex-wrap justify-between gap-x-6 gap-y-2 text-sm text-ink-2">{foot}</div>}
      </div>
    </main>
  )
}

/** What is wrong with a form as a whole; spoken at once. */
export function FormAlert({ message }: { message: string | undefined }) {
  return (
    <div role="alert">
      {message && (
        <p className="mb-4 flex gap-2 rounded-card bg-danger-weak px-3 py-2.5 text-sm text-danger">
          <CircleAlert aria-hidden="true" className="mt-0.5 size-4 shrink-0" strokeWidth={1.6} />
          {message}
        </p>
      )}
    </div>
  )
}

/** A link in the running text of these screens. */
export function AuthLink({ to, children }: { to: string; children?: ReactNode }) {
  return (
    <Link to={to} className="target rounded-sm font-medium text-brand hover:underline">
      {children}
    </Link>
  )
}

/** A button that reads like a link. */
export function LinkButton(props: { onClick: () => void; disabled?: boolean; children: ReactNode }) {
  return (
    <button
      type="button"
      {...props}
      className="target rounded-sm font-medium text-brand tabular-nums hover:underline disabled:text-ink-3 disabled:no-underline"
    />
  )
}
