import type { BlockList } from 'node:net'
import { idSchema, type Locale, shareInternalRoutes } from '@parley/contracts'
import { locales } from '@parley/contracts/constants'
import { acceptedLocale, escapeHtml, isAppError, type Logger, retrySoon, type ServiceClient } from '@parley/kit'
import type { Request, RequestHandler } from 'express'
import { clientAddress, networkBucket } from '../network.ts'
import { type RateLimitDeps, takeRequest } from './rate-limit.ts'

export interface SharePageDeps extends RateLimitDeps {
  readonly client: Pick<ServiceClient, 'call'>
  readonly publicUrl: string
  readonly trustedProxies: BlockList
  readonly log: Logger
}

/** What a link's page shows before its script runs. */
interface Card {
  readonly status: 200 | 404 | 429 | 503
  readonly headers?: Readonly<Record<string, string>>
  /** Texts for link previews. */
  readonly title: string | null
  readonly description: string | null
  /** HTML written by share, which escapes it. */
  readonly firstScreen: string | null
  readonly hasFormulas: boolean
}

const nothing = { title: null, description: null, firstScreen: null, hasFormulas: false }
/** Texts for a link without content of its own. */
const plainTexts: Readonly<Record<Locale, { readonly title: string; readonly description: string }>> = {
  en: { title: 'Shared chat', description: 'A chat shared with Parley.' },
  es: { title: 'Chat compartido', description: 'Un chat compartido con Parley.' },
  fr: { title: 'Conversation partagée', description: 'Une conversation partagée avec Parley.' },
  de: { title: 'Geteilter Chat', description: 'Ein Chat, der mit Parley geteilt wurde.' },
  zh: { title: '分享的聊天', description: '通过 Parley 分享的聊天。' },
  ja: { title: '共有されたチャット', description: 'Parleyで共有されたチャットです。' },
  ar: { title: 'محادثة مشتركة', description: 'محادثة مشتركة عبر Parley.' },
}

/**
 * The page of a shared link: its preview, the first screen of the chat, and the script that shows all of it. Its own texts are in the viewer's preferred
 * language. It is limited like reads, by network: a browser opens it without a token. It is rendered here because the SPA's page is a static file that
 * another server may have; its scripts and style have fixed names.
 */
export function sendSharePage(deps: SharePageDeps): RequestHandler {
  return async (request, response) => {
    const id = String(request.params.id)
    const card = await cardOf(deps, request, id)
    response.vary('accept-language')
    response.status(card.status).set({
      'content-type': 'text/html; charset=utf-8',
      // Revalidated each time: a revoked link is gone at once.
      'cache-control': 'no-cache',
      'x-robots-tag': 'noindex',
      ...card.headers,
    })
    const url = new URL(`/s/${encodeURIComponent(id)}`, deps.publicUrl)
    response.end(pageOf(card, url, acceptedLocale(request.headers) ?? 'en'))
  }
}

async function cardOf(deps: SharePageDeps, request: Request, id: string): Promise<Card> {
  if (!idSchema.safeParse(id).success) return { status: 404, ...nothing }
  try {
    const network = networkBucket(clientAddress(request, deps.trustedProxies))
    await takeRequest(deps, 'reading', { kind: 'guest', network })
    return { status: 200, ...(await deps.client.call(shareInternalRoutes.card, { params: { id } })) }
  } catch (error) {
    if (isAppError(error, 'not_found')) return { status: 404, ...nothing }
    // The page itself reports a failure and offers a retry.
    if (isAppError(error, 'rate_limited')) return { status: 429, headers: error.headers, ...nothing }
    deps.log.warn({ err: error }, 'the preview of a link is not available')
    return { status: 503, headers: retrySoon, ...nothing }
  }
}

function pageOf({ title, description, firstScreen, hasFormulas }: Card, url: URL, locale: Locale): string {
  const plain = plainTexts[locale]
  const [name, text] = [escapeHtml(title ?? plain.title), escapeHtml(description ?? plain.description)]
  const image = escapeHtml(new URL('/share-card.png', url).href)
  return `<!doctype html>
<html lang="${locale}" dir="${locale === 'ar' ? 'rtl' : 'ltr'}" data-theme="delgdark">
  <head>
    <meta charset="utf-8" />
    <script src="/theme.js" data-locales="${locales.join(' ')}"></script>
    <meta name="viewport" content="width=device-width, initial-scale=1" />
    <meta name="color-scheme" content="dark light" />
    <meta name="robots" content="noindex" />
    <title>${name} · Parley</title>
    <meta name="description" content="${text}" />
    <meta property="og:type" content="article" />
    <meta property="og:site_name" content="Parley" />
    <meta property="og:url" content="${escapeHtml(url.href)}" />
    <meta property="og:title" content="${name}" />
    <meta property="og:description" content="${text}" />
    <meta property="og:image" content="${image}" />
    <meta name="twitter:card" content="summary_large_image" />
    <meta name="twitter:title" content="${name}" />
    <meta name="twitter:description" content="${text}" />
    <meta name="twitter:image" content="${image}" />
    <link rel="icon" href="/icon.svg" type="image/svg+xml" />
    <link rel="stylesheet" href="/share.css" crossorigin />${hasFormulas ? '\n    <link rel="stylesheet" href="/share-math.css" crossorigin />' : ''}
    <link rel="modulepreload" href="/share-runtime.js" />
    <link rel="modulepreload" href="/share-base.js" />
    <link rel="preload" as="fetch" href="/config.json" crossorigin />
    <script type="module" src="/share.js"></script>
  </head>
  <body>
    <div id="root">${firstScreen === null ? '' : inFrame(firstScreen)}</div>
  </body>
</html>
`
}

/** The frame of the page as its script draws it, without what needs texts. Nothing stands between the elements, so that the script takes them over one by one. */
const inFrame = (firstScreen: string): string =>
  [
    '<div class="printed mx-auto flex min-h-dvh max-w-measure flex-col px-4 md:px-6 print:block print:max-w-none print:px-0">',
    '<header class="flex h-14 items-center justify-between gap-3 print:hidden"><a href="/" class="rounded-sm">',
    '<span class="flex items-center gap-2.5 font-semibold tracking-tight">',
    '<span aria-hidden="true" style="width: 22px; height: 22px; border-radius: 7.04px" ',
    'class="bg-[conic-gradient(from_210deg,var(--brand),var(--second),var(--brand))] in-data-[theme=delglight]:brightness-125 forced-colors:border"></span>',
    'Parley</span></a></header>',
    `<main class="flex-1 pb-10">${firstScreen}</main></div>`,
  ].join('')
