import { eventOf } from '@parley/bus'
import { type authRoutes, emailSchema, type Locale, safePath } from '@parley/contracts'
import { type AppError, acceptedLocale, type Call } from '@parley/kit'
import type { Caller } from '../caller.ts'
import type { AuthParts } from '../parts.ts'
import { checkPassword } from '../passwords/password-check.ts'
import {
  foreignState,
  linkExpired,
  linkFirst,
  missingCode,
  missingState,
  noAddress,
  noSingleSignOn,
  registrationDisabled,
  unexpectedAtSignOn,
  wrongCredentials,
} from '../refusals.ts'
import { hashToken, randomToken, seal, unseal } from '../secrets.ts'
import { newPending, openSession, type SignedIn } from '../sessions/browser-session.ts'
import { newAccount } from '../sessions/registration.ts'
import { type AwaitingCode, admit } from '../sessions/sign-in.ts'
import {
  type Entered,
  type Identity,
  type Newcomer,
  signOnSeconds,
} from '../store/single-sign-on/single-sign-on-store.ts'
import { newVerification } from '../verification/verification.ts'
import {
  type IdentityProvider,
  newSignOnSecrets,
  type ProvenIdentity,
  type SignOnSecrets,
} from './identity-provider.ts'
import { usernameOf } from './username-of.ts'

/** How a user signed in, and the page to return to: a path of our own origin. */
export interface SignedOn {
  readonly outcome: SignedIn | AwaitingCode
  readonly returnTo: string
}
/** The parameters of an authorization response, as a browser sends them on. */
type Callback = Call<typeof authRoutes.finishOAuth>['body']

interface Request extends SignOnSecrets {
  readonly returnTo: string
}
interface PendingLink extends Identity {
  readonly verifiedEmailKey?: string
  readonly returnTo: string
}
const contexts = { request: 'oauth request', link: 'oauth link' } as const

/**
 * Begins a sign-on that only this browser can end, within 10 minutes; each of its tabs may be on its own.
 * @throws AppError not_found without a provider, unavailable
 */
export async function startSignOn(
  parts: AuthParts,
  returnTo: string | undefined,
  { headers }: Caller,
): Promise<{ url: string; cookie: string }> {
  const provider = requireProvider(parts)
  const browser = parts.cookies.oauth.read(headers.cookie) ?? randomToken()
  const state = randomToken()
  const secrets = newSignOnSecrets()
  const url = await provider.authorizationUrl(state, secrets)
  const request: Request = { ...secrets, returnTo: safePath(returnTo) }
  await parts.stores.singleSignOn.begin(hashToken(state), hashToken(browser), sealed(parts, request, contexts.request))
  return { url: url.href, cookie: parts.cookies.oauth.set(browser, signOnSeconds) }
}

/**
 * Ends a sign-on. A known identity is signed in, banned or not; a new one gets an account, unless its address belongs to one: that
 * is stored for `linkIdentity`, whatever the provider says about the address.
 * @throws AppError validation_failed for a response to no sign-on of this browser, unauthenticated when the provider proves
 * nothing, email_taken, registration_disabled, unavailable
 */
export async function finishSignOn(parts: AuthParts, callback: Callback, caller: Caller): Promise<SignedOn> {
  const { code, state, iss } = callback
  if (!code) throw missingCode()
  if (!state) throw missingState()
  const { singleSignOn } = parts.stores
  const browser = parts.cookies.oauth.read(caller.headers.cookie)
  const kept = browser && (await singleSignOn.take(hashToken(state), hashToken(browser)))
  if (!kept) throw foreignState()
  const { returnTo: wanted, ...secrets } = opened<Request>(parts, kept, contexts.request)
  const returnTo = safePath(wanted)
  const identity = await requireProvider(parts).exchange({ code, state, iss }, secrets)
  const known = await singleSignOn.find(identity)
  if (known !== undefined) return { outcome: await admit(parts, known, caller, { identity }), returnTo }
  return { outcome: await enter(parts, { identity, browser, returnTo }, caller), returnTo }
}

/**
 * Gives the account with the address of the last sign-on to its identity as well, once its password proves the owner.
 * @throws AppError validation_failed when nothing is pending in this browser, unauthenticated, rate_limited
 */
export async function linkIdentity(parts: AuthParts, password: string, caller: Caller): Promise<SignedOn> {
  const { accounts, singleSignOn } = parts.stores
  const browser = parts.cookies.oauth.read(caller.headers.cookie)
  const browserHash = hashToken(browser ?? '')
  const pending = await singleSignOn.pendingLink(browserHash)
  if (pending === undefined) throw linkExpired()
  const { userId } = pending
  const { returnTo, verifiedEmailKey, ...identity } = opened<PendingLink>(parts, pending.sealed, contexts.link)
  const found = await accounts.withPassword({ id: userId })
  const passwordHash = found?.passwordHash
  const right = await checkPassword(parts, { subject: userId, passwordHash, password }, caller)
  if (!right || passwordHash === undefined) throw wrongCredentials()
  const linked = eventOf('auth.identity-linked', userId, { userId }, { id: parts.newId(), at: parts.now() })
  const link = { browserHash, userId, identity, proved: passwordHash, verifiedEmailKey, linked }
  const account = await singleSignOn.link(link)
  if (account === 'unproved') throw wrongCredentials()
  if (account === 'expired') throw linkExpired()
  await parts.signalPrincipalChanged(userId)
  return { outcome: await admit(parts, account, caller, { passwordHash }), returnTo: safePath(returnTo) }
}

interface Arrival {
  readonly identity: ProvenIdentity
  readonly browser: string
  readonly returnTo: string
}
const mostNames = 10

async function enter(parts: AuthParts, arrival: Arrival, caller: Caller): Promise<SignedIn | AwaitingCode> {
  const email = addressOf(arrival.identity)
  const { identity } = arrival
  const locale = acceptedLocale(caller.headers)
  const pending = newPending(parts)
  for (let attempt = 0; attempt < mostNames; attempt += 1) {
    const suffix =
      attempt === 0
        ? ''
        : randomToken()
            .replace(/[^a-z0-9]/g, '')
            .slice(0, 4)
    const newcomer = newcomerOf(parts, arrival.identity, { email, suffix, locale, pendingHash: pending.hash })
    const entered = await parts.stores.singleSignOn.enter(newcomer)
    if (entered.kind === 'overtaken') continue
    if (entered.kind === 'made' && entered.verificationRequired) {
      return { awaiting: entered.account, cookies: [pending.cookie] }
    }
    if (entered.kind === 'made') return await openSession(parts, entered.account.id, caller, { identity })
    if (entered.kind === 'known') return await admit(parts, entered.account, caller, { identity })
    throw await refusalOf(parts, entered, newcomer, arrival)
  }
  throw unexpectedAtSignOn(new Error('no free username was found'))
}

async function refusalOf(
  parts: AuthParts,
  entered: Extract<Entered, { kind: 'email_taken' | 'registration_disabled' }>,
  { account, emailVerified }: Newcomer,
  { identity, browser, returnTo }: Arrival,
): Promise<AppError> {
  if (entered.kind === 'registration_disabled') return registrationDisabled()
  const { issuer, subject } = identity
  const verified = emailVerified ? { verifiedEmailKey: account.emailKey } : {}
  const link: PendingLink = { issuer, subject, ...verified, returnTo }
  await parts.stores.singleSignOn.keepLink(hashToken(browser), entered.userId, sealed(parts, link, contexts.link))
  // The cookie lives as long as the state just stored for it.
  return linkFirst({ 'set-cookie': parts.cookies.oauth.set(browser, signOnSeconds) })
}

/** @throws AppError validation_failed when the provider tells none that mail could be sent to */
function addressOf({ claims }: ProvenIdentity): string {
  const email = emailSchema.safeParse(claims.email)
  if (!email.success) throw noAddress()
  return email.data
}

function newcomerOf(
  parts: AuthParts,
  { issuer, subject, claims }: ProvenIdentity,
  { pendingHash, suffix, ...chosen }: { email: string; suffix: string; locale: Locale | null; pendingHash: Buffer },
): Newcomer {
  const { email, locale } = chosen
  const account = newAccount(parts, { username: usernameOf({ ...claims, email }, suffix), email })
  return {
    identity: { issuer, subject },
    account: { ...account, locale },
    // Any other value is no confirmation.
    emailVerified: claims.email_verified === true,
    verification: newVerification(parts, account.id),
    pendingHash,
  }
}

function requireProvider({ provider }: AuthParts): IdentityProvider {
  if (provider === undefined) throw noSingleSignOn()
  return provider
}

const sealed = ({ keys }: AuthParts, value: Request | PendingLink, context: string): Buffer =>
  seal(keys.sealing, Buffer.from(JSON.stringify(value)), context)

/** @throws AppError when it was sealed with another secret: it is over then */
function opened<T extends Request | PendingLink>({ keys }: AuthParts, bytes: Buffer, context: string): T {
  const plain = unseal(keys.sealing, bytes, context)
  if (plain === undefined) throw context === contexts.link ? linkExpired() : foreignState()
  return JSON.parse(plain.toString()) as T
}
