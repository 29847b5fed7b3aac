/** The access rule of a route. */
export type AccessRule = 'public' | 'chat' | 'guest-only' | 'login' | 'admin'

/** What is known about the visitor: `guest` is undefined while it is being checked. */
export interface Visitor {
  readonly signedIn: boolean
  readonly isAdmin: boolean
  readonly guest: boolean | undefined
}

/** How to handle a visitor to a route: show it, wait, or redirect. `remember` keeps the requested path for after sign-in. */
export type AccessDecision =
  | { readonly type: 'show' }
  | { readonly type: 'wait' }
  | { readonly type: 'redirect'; readonly to: '/' | '/login'; readonly remember: boolean }

const show: AccessDecision = { type: 'show' }
const signInFirst: AccessDecision = { type: 'redirect', to: '/login', remember: true }
const home: AccessDecision = { type: 'redirect', to: '/', remember: false }

/** Decides about a route from its rule and the visitor. */
export function decideAccess(rule: AccessRule, visitor: Visitor): AccessDecision {
  switch (rule) {
    case 'public':
      return show
    case 'guest-only':
      return visitor.signedIn ? home : show
    case 'login':
      return visitor.signedIn ? show : signInFirst
    case 'admin':
      return visitor.signedIn && visitor.isAdmin ? show : home
    case 'chat':
      if (visitor.signedIn || visitor.guest === true) return show
      return visitor.guest === undefined ? { type: 'wait' } : signInFirst
    default:
      return rule satisfies never
  }
}
