import { newId } from '@parley/kit'
import type { WaitStrategy } from 'testcontainers'
import { disableRyuk } from '../../config.ts'
import { guard } from '../native/guard.ts'
import type { EngineName } from '../native/native-engine.ts'
import { callDocker, requireImage } from './docker-api.ts'
import { images } from './images.ts'

/** A server in a container of its own. */
export interface DockerEngine {
  readonly url: string
  /** Calls `handler` when the container ends though nobody asked it to, saying why. */
  onLost(handler: (reason: string) => void): void
  /** Removes the container. Idempotent. */
  close(): Promise<void>
}

/** Testcontainers' own way asks by a shell inside the container, again and again; ours is to use the engine. */
const notWaiting: WaitStrategy = {
  waitUntilReady: async () => undefined,
  withStartupTimeout: () => notWaiting,
  isStartupTimeoutSet: () => true,
  getStartupTimeout: () => 0,
}

/**
 * Starts the official image of an engine, pulling it when it is missing, and waits until it serves. Its port is published on all addresses
 * of the machine, as testcontainers does.
 * @throws Error that says why it cannot be had
 */
export async function startInDocker(name: EngineName): Promise<DockerEngine> {
  const plan = await images[name](newId())
  await requireImage(plan.image)
  disableRyuk()
  // Loaded here, since it is large and most machines that run tests have no Docker.
  const { GenericContainer } = await import('testcontainers')
  const starting = new GenericContainer(plan.image)
    .withEnvironment({ ...plan.environment })
    .withExposedPorts({ container: plan.containerPort, host: plan.port })
    .withWaitStrategy(notWaiting)
  if (plan.command !== undefined) starting.withCommand([...plan.command])
  const container = await starting.start()
  const id = container.getId()
  const callOff = guard('docker rm --force --volumes "$1"', [id])
  let closing: Promise<void> | undefined
  const close = (): Promise<void> => {
    closing ??= container.stop({ timeout: 0, removeVolumes: true }).then(callOff)
    return closing
  }
  await plan.ready().catch(async (error: unknown) => {
    await close()
    throw error
  })
  return {
    url: plan.url,
    onLost(handler) {
      const ended = callDocker('POST', `/containers/${id}/wait`, { idleMs: 0 })
      const tell = (): void => {
        if (closing === undefined) handler(`the container of ${name} ended`)
      }
      ended.then(tell, tell)
    },
    close,
  }
}
