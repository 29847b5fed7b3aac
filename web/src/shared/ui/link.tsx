import type { AnchorHTMLAttributes, MouseEvent, Ref } from 'react'
import { useHref, useLinkClickHandler, useLocation } from 'react-router-dom'

interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A path of this application. */
  readonly to: string
  readonly ref?: Ref<HTMLAnchorElement> | undefined
}

/** A link within the application; the browser handles modified clicks and other targets. The router's own component would include data preloading. */
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
  /** Whether it is active only at its exact path, and not below it. */
  readonly end?: boolean
  readonly className: (active: boolean) => string
}

/** A navigation link that marks the current page. */
export function NavLink({ end = false, className, ...rest }: NavLinkProps) {
  const { pathname } = useLocation()
  const active = pathname === rest.to || (!end && pathname.startsWith(`${rest.to}/`))
  return <Link {...rest} aria-current={active ? 'page' : undefined} className={className(active)} />
}
