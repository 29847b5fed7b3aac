import { type ReactNode, useEffect, useRef } from 'react'
import { useText } from '../../shared/i18n/index.ts'
import { LanguageSelect } from '../../shared/language/index.ts'
import { FirstScreen } from '../../shared/lazy/index.ts'
import { Brand, Link } from '../../shared/ui/index.ts'

interface Props {
  readonly title: string
  readonly lead: ReactNode
  readonly children: ReactNode
  readonly foot?: ReactNode
  /** It replaced a form: its title takes the focus and is announced. */
  readonly said?: boolean
  /** About twice as high as the others. */
  readonly tall?: boolean
}

/** The layout of all screens before the chat: logo, title, lead, form, footer. Until it loads, the page shows the forms of `vite/first-forms.ts`. */
export function AuthCard({ title, lead, children, foot, said = false, tall = false }: Props) {
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (said) heading.current?.focus()
  }, [said])
  return (
    <main className={tall ? 'auth-card-tall' : 'auth-card'}>
      <FirstScreen />
      <title>{`${title} · Parley`}</title>
      <div className="w-full max-w-card">
        <div className="mb-7 flex items-center justify-between gap-3">
          <Link to="/" className="rounded-row">
            <Brand size={26} />
          </Link>
          <LanguageSelect />
        </div>
        <h1
          ref={heading}
          tabIndex={said ? -1 : undefined}
          className="mb-1.5 text-2xl leading-tight font-semibold tracking-tight outline-none"
        >
          {title}
        </h1>
        <p role={said ? 'alert' : undefined} className="mb-6 text-ink-2">
          {lead}
        </p>
        {children}
        {foot && <div className="mt-6 flex flex-wrap justify-between gap-x-6 gap-y-2 text-sm text-ink-2">{foot}</div>}
      </div>
    </main>
  )
}

export function AuthLink({ to, children }: { to: string; children?: ReactNode }) {
  return (
    <Link to={to} className="target rounded-sm font-medium text-brand hover:underline">
      {children}
    </Link>
  )
}

/** The link to reset the password, next to the field's label. */
export function ForgotLink() {
  const { t } = useText()
  return (
    <span className="text-sm">
      <AuthLink to="/password-reset">{t('auth.login.forgot')}</AuthLink>
    </span>
  )
}

/** A button that looks like a link. */
export function LinkButton(props: { onClick: () => void; disabled?: boolean; children: ReactNode }) {
  return (
    <button
      type="button"
      {...props}
      className="target rounded-sm font-medium text-brand tabular-nums hover:underline disabled:text-ink-3 disabled:no-underline"
    />
  )
}
