import type { AnchorHTMLAttributes, MouseEvent, Ref } from 'react'
import { useHref, useLinkClickHandler, useLocation } from 'react-router-dom'

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** An address of this application. */
  readonly to: string
  readonly ref?: Ref<HTMLAnchorElement> | undefined
}

/** A link within the application; with a key held down or in another tab the browser opens it. The router's own brings along what loads data ahead. */
export function Link({ to, onClick, target, ...rest }: LinkProps) {
  const href = useHref(to)
  const follow = useLinkClickHandler<HTMLAnchorElement>(to, { target })
  const click = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event)
    if (!event.defaultPrevented) follow(event)
  }
  return <a {...rest} target={target} href={href} onClick={click} />
}

interface NavLinkProps extends Omit<LinkProps, 'className'> {
  /** Whether it stands for its own address alone, and not for those below it. */
  readonly end?: boolean
  readonly className: (active: boolean) => string
}

/** A link in a list of places that says which of them is shown. */
export function NavLink({ end = false, className, ...rest }: NavLinkProps) {
  const { pathname } = useLocation()
  const active = pathname === rest.to || (!end && pathname.startsWith(`${rest.to}/`))
  return <Link {...rest} aria-current={active ? 'page' : undefined} className={className(active)} />
}
