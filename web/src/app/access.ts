/** Who may see a route. */
export type AccessRule = 'public' | 'chat' | 'guest-only' | 'login' | 'admin'

/** What is known of the person: `guest` is undefined while it is being asked. */
export interface Visitor {
  readonly signedIn: boolean
  readonly isAdmin: boolean
  readonly guest: boolean | undefined
}

/** What to do with a visitor of a route: show it, wait, or lead elsewhere. `remember` keeps the wanted path for after sign-in. */
export type AccessDecision =
  | { readonly type: 'show' }
  | { readonly type: 'wait' }
  | { readonly type: 'redirect'; readonly to: '/' | '/login'; readonly remember: boolean }

const show: AccessDecision = { type: 'show' }
const signInFirst: AccessDecision = { type: 'redirect', to: '/login', remember: true }
const home: AccessDecision = { type: 'redirect', to: '/', remember: false }

/** Decides about a route by its rule and what is known of the visitor. */
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
