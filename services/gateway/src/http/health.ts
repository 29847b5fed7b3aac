import { gatewayRoutes, readinessSchema, type ServiceHealth, type ServiceName, serviceNames } from '@parley/contracts'
import { type Locate, mount } from '@parley/kit'
import type { IRouter } from 'express'

const timeoutMs = 3_000

/** `GET /api/admin/health`: asks every service whether it is ready. The gateway itself answers, so it is. */
export function addHealthRoute(router: IRouter, { locate }: { readonly locate: Locate }): void {
  mount(router, gatewayRoutes.health, async () => {
    return { body: { services: await Promise.all(serviceNames.map((name) => askService(name, locate))) } }
  })
}

async function askService(name: ServiceName, locate: Locate): Promise<ServiceHealth> {
  if (name === 'gateway') return { name, ready: true, failed: [] }
  try {
    const answer = await fetch(`${locate(name)}/readyz`, { signal: AbortSignal.timeout(timeoutMs) })
    const { status, ...readiness } = readinessSchema.parse(await answer.json())
    return { name, ready: status === 'ready', ...readiness }
  } catch {
    // Not there, too slow or talking nonsense: it serves nobody.
    return { name, ready: false, failed: ['unreachable'] }
  }
}
