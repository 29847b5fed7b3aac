import { type AuthService, createAuthService } from '@parley/auth'
import { openAuthStores } from '@parley/auth/stores'
import { createBillingService } from '@parley/billing'
import { openBillingStores } from '@parley/billing/stores'
import { createChatService } from '@parley/chat'
import { chatServiceConfigOf } from '@parley/chat/config'
import { openChatStores } from '@parley/chat/stores'
import { createGatewayService } from '@parley/gateway'
import { parseTrustedProxies } from '@parley/gateway/config'
import { createLiveSettings, parseOrigins, type Service } from '@parley/kit'
import { createEndpointGuard, createPageFetcher, resolveBySystem } from '@parley/kit/egress'
import { createLlmRouterService } from '@parley/llm-router'
import { openLlmRouterStores } from '@parley/llm-router/stores'
import { createNotifierService } from '@parley/notifier'
import { openNotifierStores } from '@parley/notifier/stores'
import { createRealtimeService } from '@parley/realtime'
import type { ComposeOptions } from './compose-options.ts'
import type { House } from './house.ts'

/** auth over the embedded engines. */
export async function authService(
  house: House,
  options: Pick<ComposeOptions, 'config' | 'internalSecret' | 'publicUrl'>,
): Promise<AuthService> {
  const { cache, ...tools } = house.toolsOf('auth')
  return createAuthService({
    ...tools,
    config: { ...options.config, INTERNAL_SECRET: options.internalSecret, PUBLIC_URL: options.publicUrl },
    stores: house.keep(openAuthStores(house.postgres)),
    bus: await house.bus(),
    signal: cache.signal,
  })
}

/** billing over the embedded engines. */
export async function billingService(house: House, { config }: ComposeOptions): Promise<Service> {
  const tools = house.toolsOf('billing')
  return createBillingService({
    ...tools,
    stores: house.keep(openBillingStores(house.postgres)),
    bus: await house.bus(),
    holdRetentionDays: config.HOLD_RETENTION_DAYS,
  })
}

/** llm-router over the embedded engines. */
export async function llmRouterService(house: House, { models }: ComposeOptions): Promise<Service> {
  const { cache, ...tools } = house.toolsOf('llm-router')
  const stores = house.keep(openLlmRouterStores(house.postgres))
  return createLlmRouterService({
    ...tools,
    config: models,
    stores,
    bus: await house.bus(),
    counter: cache.counter,
    signal: cache.signal,
  })
}

/** notifier over the embedded engines. */
export async function notifierService(house: House, options: ComposeOptions): Promise<Service> {
  return createNotifierService({
    ...house.toolsOf('notifier'),
    config: { SMTP_URL: options.smtpUrl, MAIL_FROM: options.config.MAIL_FROM, PUBLIC_URL: options.publicUrl },
    stores: house.keep(openNotifierStores(house.postgres)),
    bus: await house.bus(),
  })
}

/** chat over the embedded engines. */
export async function chatService(house: House, options: ComposeOptions): Promise<Service> {
  return createChatService({
    ...house.toolsOf('chat'),
    config: chatServiceConfigOf({ ...options.config, INTERNAL_SECRET: options.internalSecret }),
    stores: house.keep(openChatStores(house.postgres)),
    isOnlyReplica: options.isOnlyReplica ?? false,
    pages: house.keep(createPageFetcher(createEndpointGuard([], resolveBySystem))),
    bus: await house.bus(),
  })
}

/** realtime over the embedded engines. */
export async function realtimeService(house: House, { config, publicUrl }: ComposeOptions): Promise<Service> {
  const extraOrigins = parseOrigins(config.EXTRA_ORIGINS)
  return createRealtimeService({ ...house.toolsOf('realtime'), publicUrl, extraOrigins, bus: await house.bus() })
}

/** The gateway in front of them. */
export function gatewayService(house: House, { config, publicUrl }: ComposeOptions): Service {
  const { cache, ...tools } = house.toolsOf('gateway')
  return createGatewayService({
    ...tools,
    publicUrl,
    extraOrigins: parseOrigins(config.EXTRA_ORIGINS),
    trustedProxies: parseTrustedProxies(config.TRUSTED_PROXIES),
    webDir: config.WEB_DIR,
    counter: cache.counter,
    signal: cache.signal,
    settings: createLiveSettings(tools.client, tools.now),
    locate: house.locate,
  })
}
